// The last words of a program that gave up, read from its own memory: its stderr is its own. glibc keeps its abort
// message for debuggers; a failed check's text lies in the buffer it was built in, which the stack still names.
// Only writable memory within the dying thread's reach is searched: constants hold every message the program
// could ever print. What is found may still be old; whether it explains this death is for the rules to say.
#pragma once
#include <optional>
#include <vector>

#include "evidence/text.h"
#include "target/target.h"

namespace sigwhy::native {

// glibc's message (heap checks, assert, fortify, stack smashing), as it stands behind __abort_msg.
std::optional<Text> abort_message(const Target& target);

// The abort message first, then the others, nearest to the stack's top first; no two alike, at most eight.
std::vector<Text> texts_of(const Target& target);

// The last lines of a regular file that was the program's stderr.
std::optional<Text> stderr_tail(const Target& target);

}  // namespace sigwhy::native
