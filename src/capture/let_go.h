// Programs that must not be traced: they trace others themselves, and a process has one tracer at most. gdb below
// a fork-following tracer hangs; a healthy program with LeakSanitizer, which stops its own threads by ptrace when
// it ends, would exit 1. Found by what the file imports, so any debugger that goes through the C library is seen;
// one that makes the system call by itself (delve) is not, and needs --no-ptrace.
#pragma once
#include <sys/types.h>

namespace sigwhy::capture {

// Looks at the program a process has just exec'd. Null: go on tracing. Else the reason, for the gap.
const char* reason_to_let_go(pid_t pid);

}  // namespace sigwhy::capture
