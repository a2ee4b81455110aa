// The table of records. A slot of the region keeps its record for ever; the records of blocks that lie in the C
// library's heap, with canaries behind them, are found by their address and handed round, the oldest first.
#pragma once
#include "guard/raw.h"
#include "guard/wire.h"

namespace sigwhy::guard {

inline constexpr u32 none = ~u32{0};

struct Link {
  u32 next = none;  // in a queue, or in a chain of the address table
  u32 site = 0;     // of the caller
  u64 pc = 0;       // the caller
  u32 pages = 0;    // of a slot: the room for its block
  u32 seen_at = 0;  // the place that it was chosen at; 0: none
};

extern Block* blocks;
extern Link* links;

bool make_tables(u32 capacity);

// Instructions that call the allocator, thrown into a few thousand boxes; how many live blocks come from there.
u32 site_of(u64 pc);
u32 live_blocks_of(u32 site);
void add_live(u32 site, int by);

// With region_lock held. none: the table is full.
u32 new_record();

// Blocks of the C library's heap that we know; their own lock.
u32 add_outside(u64 start);              // none: no record to be had
u32 find_outside(u64 start);
void remove_outside(u32 index);          // the record stays readable until it is needed again
void give_up_outside_locks();
void take_outside_lock();
void release_outside_lock();

}  // namespace sigwhy::guard
