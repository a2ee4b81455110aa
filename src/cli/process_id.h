// Process ids as users type them, and whose program a process runs.
#pragma once
#include <sys/types.h>

#include <string>

#include "base/result.h"

namespace sigwhy::cli {

Result<pid_t> process_id(const std::string& word);

// The file name of its program; empty: not ours to know.
std::string program_of(pid_t pid);

}  // namespace sigwhy::cli
