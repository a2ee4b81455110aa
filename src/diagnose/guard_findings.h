// What the guarded heap makes provable. Each of these is asked first by the rule of its cause: where the mechanism
// itself was seen, what can be read off the remains is not needed any more.
#pragma once
#include <optional>
#include <string_view>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// The id of the fact that names the block, or what the guard found: its finding rests on the guard.
inline constexpr std::string_view guard_fact = "guard";

std::optional<Finding> guarded_out_of_bounds(const Facts& facts);
std::optional<Finding> guarded_use_after_free(const Facts& facts);
std::optional<Finding> guarded_uninitialised_read(const Facts& facts);

// From what the guard found at a call of free, or at the end: guard_stop_findings.cpp.
std::optional<Finding> guarded_invalid_free(const Facts& facts);
std::optional<Finding> guarded_heap_corruption(const Facts& facts);

}  // namespace sigwhy::diagnose
