// Absence is data: a thing that could not be read, why, and what would make it visible next time.
#pragma once
#include <string>

namespace sigwhy {

struct Gap {
  std::string what;
  std::string why;
  std::string remedy;
};

}  // namespace sigwhy
