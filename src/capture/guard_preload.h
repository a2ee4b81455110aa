// The guarded heap is a library that the program's loader is told to load first. It goes behind what is preloaded
// already (a sanitizer insists on being first), and where it could do harm it is left out: the program matters more.
#pragma once
#include <string>
#include <vector>

namespace sigwhy::capture {

// Sets LD_PRELOAD and SIGWHY_GUARD of this process, which is about to become `program`. Returns why not, as half a
// sentence about the program; empty: done.
std::string preload_guard(const std::string& program, const std::string& mode);

// An environment as it was before that: a re-run decides anew.
std::vector<std::string> without_guard(std::vector<std::string> environment);

}  // namespace sigwhy::capture
