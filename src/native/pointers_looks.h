// What eight bytes look like that were used as a pointer and are none. Each look is only claimed where its form
// fits strictly, and those that lean on the address space only where a match by chance is unlikely there.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "evidence/memory.h"
#include "target/target.h"

namespace sigwhy::native {

// The most specific first, at most three. `value` is mapped nowhere.
std::vector<std::string> looks_like(std::uint64_t value, const Target& target, const std::vector<Region>& regions);

// By the bytes alone: fill patterns, text, floats, small numbers.
std::vector<std::string> plain_looks(std::uint64_t value);

// "0x3fc000003fc00000 (two floats: 1.5, 1.5)"
std::string with_looks(std::uint64_t value);

}  // namespace sigwhy::native
