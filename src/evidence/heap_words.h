// Where a call of the allocator came from, in the words of a report: the user's own Python line first.
#pragma once
#include <string>

#include "evidence/snapshot.h"

namespace sigwhy {

// The user's own function that called, "load() data.cc:12"; empty: none of his was on that stack.
std::string native_place_text(const Snapshot& snapshot, const HeapEvent& event);
// "data.py:18"; empty: no Python ran there, or its code is gone.
std::string python_place_text(const HeapEvent& event);

// "data.py:18", "load() data.cc:12, called at train.py:4", "PyDataMem_NEW in _multiarray.so"; empty: not known.
std::string heap_place_text(const Snapshot& snapshot, const HeapEvent& event);

}  // namespace sigwhy
