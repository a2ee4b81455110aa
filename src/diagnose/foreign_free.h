// A block of one allocator that was given to the free() of another. What joins them is the pointer: it lies where the
// allocator that was called keeps nothing, or is a block of the other by that one's own headers.
#pragma once
#include <optional>
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct ForeignFree {
  std::size_t frame = 0;                // of free(), in the dying thread; its caller is the next
  std::size_t library = 0;              // of the inventory: the allocator that is not the C library's
  bool to_c_library = false;            // else a block of the C library's was given to that allocator
  std::optional<std::size_t> pointer;   // what was given; absent: it could not be told from the rest
  std::optional<std::size_t> crossing;  // of the inventory: free() was bound past the program's allocator
};

std::optional<ForeignFree> foreign_free(const Facts& facts);

// "memory that is not the C library's", as what was freed.
std::string given_text(const Facts& facts, const ForeignFree& free);
Fact given_fact(const Facts& facts, const ForeignFree& free);
std::optional<Finding> mixed_allocators(const Facts& facts);

}  // namespace sigwhy::diagnose
