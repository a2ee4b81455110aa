// The element that a line of Python asks for, where both names stand in its frame: `p[i]` of a ctypes pointer, or a C
// function that is given an array and a number. The address is exactly that many elements away.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct NamedIndex {
  std::string array, index;  // as the program calls them
  std::int64_t number = 0;
  std::uint64_t bytes_each = 0;
  std::size_t region = 0;  // where the array, or what the pointer leads to, begins
  std::vector<EvidenceRef> evidence;
};

std::optional<NamedIndex> named_index(const Facts& facts);

}  // namespace sigwhy::diagnose
