// Which addresses are code. The loader could say, but under a lock that the caller of malloc may be waiting for in
// another thread; the kernel's list of mappings needs none. It is read anew when a call comes from where no code was
// known, or after the loader itself asked for memory: it is loading something.
#pragma once
#include "guard/raw.h"

namespace sigwhy::guard {

struct CodeRanges {
  static constexpr u32 most = 4096;
  struct Range {
    u64 start, end;
  };
  Range ranges[most];
  u32 count = 0;
  u64 lowest = 0, highest = 0;

  bool holds(u64 address) const { return range_of(address) < count; }

  // `count` where there is none.
  u32 range_of(u64 address) const {
    if (address < lowest || address >= highest) return count;
    u32 low = 0, high = count;
    while (low < high) {
      const u32 middle = (low + high) / 2;
      if (ranges[middle].end <= address) low = middle + 1;
      else high = middle;
    }
    return low < count && ranges[low].start <= address ? low : count;
  }
};

const CodeRanges& code_ranges(u64 caller_pc);
// Both lie in one stretch of code: in one library.
bool is_same_library(u64 a, u64 b);
// In a forked child nobody reads them any more.
void give_up_reading();

}  // namespace sigwhy::guard
