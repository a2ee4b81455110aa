// Each thread keeps a few freed blocks of every small size for itself. The structure that holds them is a block of
// its heap, in the main thread the first: counts of 64 sizes (one byte each, two from glibc 2.30 on), then 64 list
// heads. A cached block's second word marks it: the structure's address (2.29 to 2.33), a random number that libc
// keeps in its data (2.34 and later), nothing before that. malloc clears the mark when it hands the block out.
#pragma once
#include <cstdint>
#include <optional>

#include "target/target.h"

namespace sigwhy::native {

// The link stored at `at`, plain or encoded (2.32 and later), if it leads into [start, end).
std::optional<Address> decoded_link(const Memory& memory, Address at, Address start, Address end);

// Is this what a cached block has as its second word?
bool marks_cached_block(const Target& target, std::uint64_t second_word);

// Would a cached block be seen as one here? If not, an unmarked block may be cached all the same.
bool marks_are_in_use(const Target& target);

}  // namespace sigwhy::native
