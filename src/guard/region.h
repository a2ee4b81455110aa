// One reserved range of addresses, inaccessible at first; "is this pointer ours" is one subtraction. It is cut into
// slots: pages for the block with at least one inaccessible page on either side, all of them its own, so that an
// address names one block. Behind it (in front, where blocks begin at a page) there are as many more as chance wills, by
// the run's seed: a walk in large steps from another block does not end in the same one twice. A slot keeps its size;
// freed slots of a size wait in a queue (the quarantine) and the oldest is taken again when there are enough of them.
//
// Two ways to open and close pages. Guard markers (kernel 6.13) live in the page table: one cheap call, and no entry
// in the table of mappings, which is limited to 65,530. Else, and for large slots where a marker per page would cost
// more, the protection of the mapping: two mappings per open block.
#pragma once
#include "guard/raw.h"
#include "guard/wire.h"

namespace sigwhy::guard {

struct Span {  // whole pages
  u64 start;
  u64 bytes;
};

struct Region {
  u64 start = 0;
  u64 bytes = 0;
};
extern Region region;

// Or in what was given back of it: slot_at() knows.
inline bool is_ours(const void* p) { return reinterpret_cast<u64>(p) - region.start < region.bytes; }

enum class Pages { markers, protection };

// False: the kernel refused; there is nothing to guard with.
bool reserve_region(Pages pages, bool sampled);

// Gives back what was reserved and never used, to a program that is short of addresses, but for so many bytes; false:
// nothing to give.
bool shrink_region(u64 but_for_bytes = 0);

// A slot with room for a block of this many pages. Its record is its own (Block::mapping); the caller owns it until
// it comes back. No value (block_capacity): there is none to be had.
u32 take_slot(u64 pages);
// Blocks of this size are not given a place that another one had, as long as there are others: a stale pointer then
// names the block that it was to. 0: no such size.
void keep_fresh(u64 bytes);
bool open_pages(u32 index, Span pages);
// Closes what is open of it; then it is the youngest of its queue.
void give_slot(u32 index, Span open);

struct Room {  // of a slot, without its inaccessible pages at either end
  u64 start, end;
};
Room room_of(u32 index);

// The slot that owns the page; none for pages that never were handed out: they may have been given back, and be
// anybody's by now.
u32 slot_at(const void* p);

// Large slots are opened by protection even where there are markers.
bool by_markers(u64 pages);
// How many more blocks can be open, in steps of 1/1024 of what is allowed; 0: none.
u32 room_left(u64 pages);

extern Lock region_lock;

}  // namespace sigwhy::guard
