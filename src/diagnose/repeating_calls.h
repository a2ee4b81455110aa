// RecursionError: which functions call each other, and how often at least: of a deep traceback only a part is kept. The
// innermost frames may be a library function that happened to meet the limit; the cycle starts a little further out.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct RepeatingCalls {
  std::string names;  // "f()", "visit() and walk()"
  std::size_t period = 0;
  std::uint64_t times = 0;
  std::size_t exception = 0;
};

std::optional<RepeatingCalls> repeating_calls(const Facts& facts);

}  // namespace sigwhy::diagnose
