// Asks an interpreter for its version, where no file says it: isolated, without site, bounded in time.
#pragma once
#include <string>

namespace sigwhy::inventory {

std::string version_of_program(const std::string& python);  // "3.11.2"; empty: it did not say

}  // namespace sigwhy::inventory
