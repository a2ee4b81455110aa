// From words to a command's exit status. Everything main does but writing.
#pragma once
#include <string>
#include <vector>

#include "cli/command.h"

namespace sigwhy::cli {

// `words` is argv without the program. Errors are in output.err as one line; the exit status is 2 for a wrong
// call and 1 for what failed.
int dispatch(const std::vector<std::string>& words, Output& output);

}  // namespace sigwhy::cli
