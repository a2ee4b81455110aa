// An index out of bounds is often gone from the registers when its access is refused, but it still stands in the array
// that it came from: ids[3] is 4,294,967,295, and the address is 256 times that behind a pointer that is still there.
// That no other number of the program does the same by chance is what makes it evidence. Where an array is known that
// such a number is no index of, and the address is just where that element or row would be, it is the table: an
// embedding asked for token 151,643 of 3,000.
#pragma once
#include <optional>
#include <vector>

#include "evidence/memory.h"
#include "evidence/python.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

// How much of each integer array is looked at, and therefore copied.
inline constexpr std::size_t counted_index_bytes = 2048;

std::optional<CountedIndex> counted_index(const Target& target, const Fault& fault, const std::vector<Region>& regions,
                                          const std::vector<Array>& arrays);

}  // namespace sigwhy::native
