// Numbers as outcomes say them.
#pragma once
#include <cstdint>
#include <string>

#include "evidence/outcome.h"

namespace sigwhy::experiment {

std::string size_text(std::uint64_t bytes);  // "8.0 GiB"

// "with 2 threads 9 of 10 died, with 1 thread 0 of 10"
std::string counts_text(const std::string& as_it_was, const Arm& before, const std::string& changed, const Arm& after);

}  // namespace sigwhy::experiment
