// Which recorded block an access that the guarded heap refused belongs to, and how that is known. Every guarded block
// has addresses of its own around it, so the address names a block; but a walk in large steps, or a pointer from
// nowhere, may land there too. So the block alone proves nothing: something must tie the access to it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace sigwhy::diagnose {

enum class GuardSide { inside, behind, before };

enum class GuardTie {
  base,        // the operand's pointer register points into the block
  copy,        // a copying function was given a pointer into the block and a length that leads out of it
  contiguous,  // the first bytes that cannot be touched beside it: where a walk over it ends
  pointer,     // another register holds its start or points into it
  variable,    // a variable on the stack of the innermost functions holds its start
  array,       // a Python array whose data it is, is tied to the access
  none,
};

struct GuardHit {
  std::size_t block = 0;  // index into guarded_heap.blocks
  GuardSide side = GuardSide::behind;
  bool freed = false;
  bool own_pages = true;    // the address lies in the addresses that are this block's own; else it only began there
  std::uint64_t bytes = 0;  // from the block's nearest byte to the access: 0 is the first byte behind it
  GuardTie tie = GuardTie::none;
  std::string by;  // the register, where one ties them
  // Nothing else can have led there: see facts_guard.cpp.
  bool certain = false;
};

// The guard fills new and freed memory with bytes of its own; a pointer, an index or a length made of them was read
// from memory that nobody had set.
struct GuardFill {
  bool freed = false;       // of freed memory
  std::uint64_t value = 0;  // as it was used
  int bytes = 0;            // how many bytes of it are the fill: 8, 4 or 2
  std::string what;         // "the pointer in rax", "the index in rcx"
  std::string reg;          // empty: it follows from the address
  std::optional<std::size_t> block;  // that it was read from; index into guarded_heap.blocks
};

}  // namespace sigwhy::diagnose
