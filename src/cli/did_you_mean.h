// What was meant by a command that there is none of: a slip of the fingers, or a program without `run --` before it.
#pragma once
#include <string>
#include <vector>

namespace sigwhy::cli {

// The remedy: "did you mean run?", "did you mean sigwhy run -- ./solver?", else where the commands are listed.
std::string did_you_mean(const std::vector<std::string>& words);

}  // namespace sigwhy::cli
