// The block of glibc's heap an address lies in, and the block that was given to free when glibc stopped the program.
// All of it is read from copied headers that the death itself may have damaged, so nothing is said unless the
// headers around agree: a walk that starts at a known chunk, or a chain of chunks that only fits in one way.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "evidence/memory.h"
#include "target/target.h"

namespace sigwhy::native {

std::optional<HeapBlock> block_at(const Target& target, Address a);

// For an abort out of free's or realloc's checks: the pointer that was given, where exactly one of `words` (registers
// and innermost stack words) fits what glibc complains about. The block's state and detail say what its bytes prove.
std::optional<Pointer> freed_block(const Target& target, const std::vector<std::uint64_t>& words);
std::optional<Pointer> freed_block(const Target& target);

// For an abort out of malloc's checks: the block whose header glibc found overwritten. It was damaged earlier, by
// whoever wrote past the end of the block in front of it.
std::optional<Pointer> damaged_block(const Target& target);

// The block that begins there by all that lies in front of it, though its own header can be none: overwritten.
std::optional<HeapBlock> overwritten_block(const Target& target, Address start);

}  // namespace sigwhy::native
