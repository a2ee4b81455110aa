// Which allocations are worth their price, in the mode that spends a budget.
//
// The guard measures what it costs (cycles of its own slow path, and the pages that the block will touch for the first
// time where the C library's would have been warm) and pays from buckets that fill at a fixed share of the time that
// the program runs: one each for small, middle and large blocks, so that none starves the others. Blocks that the C library
// would map afresh as well (from 32 MiB on) cost next to nothing more and are nearly always guarded.
//
// What is bought: places in the program that are new or rare come first; a place that is seen often is guarded about
// as often as the square root of its visits; with a full bucket everything is.
#pragma once
#include "guard/caller.h"

namespace sigwhy::guard {

inline constexpr u64 large_from_bytes = 16 << 10;  // from here on each one is looked at

bool worth_guarding(u64 bytes, const Caller& caller);

// Once, at the start.
void measure_page_cost();

// Measures a stretch of the guard's own work and pays for it.
class Paid {
 public:
  explicit Paid(u64 bytes) : bytes_(bytes), began_(__builtin_ia32_rdtsc()) {}
  ~Paid();
  Paid(const Paid&) = delete;
  Paid& operator=(const Paid&) = delete;
  // So many pages will be touched for the first time, later and by the program.
  void and_pages(u64 pages) { pages_ += pages; }

 private:
  u64 bytes_, began_, pages_ = 0;
};

// The block that is being recorded stands for all that its place made since the last one there. So the blocks of a place
// add up to what it made, however unevenly they were chosen. What came after the last one is added to that one, as long
// as the place has given back none that was recorded: it may be a leak, and the end comes before the next is recorded.
void note_recorded(u32 index);
void note_freed(u32 index);

// What the process has in memory, as it was up to half a second ago.
u64 resident_pages();

// Memory that pages of small guarded blocks may take: a fortieth of what the process has.
u64 sampled_page_allowance();

}  // namespace sigwhy::guard
