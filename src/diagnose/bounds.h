// How an access left memory that is really there. Seven ways leave a trace at the moment of death: base and index
// are still in registers, the index still stands in an array or a variable, the access ran over the end of a mapping, a copy was given
// an impossible length, the address lies the smallest integer away from memory, or it is one that only a sum with a real
// pointer can have led to.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

enum class LeftBy { index, counted, named, summed, sum, offset, end, start, length, reserve, first_page, extreme, distance, block_size };

struct LeftBounds {
  LeftBy by;
  std::size_t region = 0;   // the memory that was left
  std::uint64_t bytes = 0;  // how far outside it
  bool before = false;      // below its start, else behind its end
  Strength strength = Strength::strong;
  // For a sum that was made before: the registers that still hold its parts.
  std::string_view base_name = {}, step_name = {};
  std::int64_t step_bytes = 0;
  bool from_one = false;  // counted from one
  std::uint64_t element_bytes = 0;  // for an extreme index
};

std::optional<LeftBounds> left_bounds(const Facts& facts);

// The pointer, where it looks exactly like the start of a large block that free() or realloc() has unmapped: malloc
// gives blocks of 128 KiB and more a mapping of their own and returns its start plus 16 (aligned to 32 or 64 bytes:
// plus that; the contents of a Python bytes or str object: plus its head).
std::optional<Address> unmapped_block_start(const Facts& facts);

// The memory that was written to was meant, and the memory right before it lies there by chance: a file of data that the
// program has mapped, where several registers point there and none before it (a walk over the end has but one); or memory
// without a file that can be read and not written. That is none of an allocator's: the program has protected it.
bool is_meant(const Facts& facts);

// The register and the length a copying function of the C library was given, where it can be no length.
struct Length {
  std::string_view name;
  std::uint64_t value = 0;
};
std::optional<Length> impossible_length(const Facts& facts);

}  // namespace sigwhy::diagnose
