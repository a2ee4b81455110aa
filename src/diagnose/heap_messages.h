// What glibc's heap says before it aborts, sorted by what the words prove. "double free or corruption (out)" is
// mostly no double free: it is a block whose size was overwritten. Only some of the checks can tell.
#pragma once
#include <optional>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

enum class HeapWords {
  in_thread_cache,  // the block is in the list of freed blocks: freed twice
  newest_in_bin,    // the block is the one freed last: freed twice
  is_top,           // the block is the unused end of the heap: freed before, and merged into it
  marked_free,      // the block behind says this one is free: freed twice, or that mark was overwritten
  no_block,         // the pointer is no multiple of 16, or the size in front of it is 0: hardly ever a block at all
  bad_pointer,      // no block starts there: never came from malloc, or its header was overwritten
  damaged,          // the heap's own data contradicts itself
};

struct HeapMessage {
  HeapWords words;
  std::size_t text = 0;
};

std::optional<HeapMessage> heap_message(const Facts& facts);

// "freed": the pointer that was given to free(); "damaged": the block whose header malloc found overwritten.
std::optional<std::size_t> pointer_with_role(const Facts& facts, std::string_view role);

}  // namespace sigwhy::diagnose
