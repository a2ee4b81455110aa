#include "guard/blocks.h"

#include "guard/region.h"
#include "guard/state.h"

namespace sigwhy::guard {

Block* blocks;
Link* links;

namespace {

constexpr u32 freed_kept = 16 << 10;  // records of freed outside blocks, before one is used again

struct Outside {
  Lock lock;
  u32* buckets = nullptr;
  u32 bucket_count = 0;  // a power of two
  u32 oldest_freed = none, youngest_freed = none, freed = 0;
} outside;

u32& bucket_of(u64 start) {
  const u64 mixed = (start >> 4) * 0x9e3779b97f4a7c15;
  return outside.buckets[mixed >> 32 & (outside.bucket_count - 1)];
}

constexpr u32 site_bits = 15;
u32 live_by_site[1 << site_bits];

u32 take_freed() {
  const u32 index = outside.oldest_freed;
  outside.oldest_freed = links[index].next;
  if (outside.oldest_freed == none) outside.youngest_freed = none;
  --outside.freed;
  return index;
}

}  // namespace

bool make_tables(u32 capacity) {
  outside.bucket_count = capacity;
  const u64 records = map_table(capacity * sizeof(Block));
  const u64 private_words = map_table(capacity * sizeof(Link));
  const u64 table = map_table(capacity * sizeof(u32));
  if (!records || !private_words || !table) return false;
  blocks = reinterpret_cast<Block*>(records);
  links = reinterpret_cast<Link*>(private_words);
  outside.buckets = reinterpret_cast<u32*>(table);
  header.blocks = records;
  header.block_capacity = capacity;
  return true;
}

u32 site_of(u64 pc) { return static_cast<u32>(pc * 0x9e3779b97f4a7c15 >> (64 - site_bits)); }
u32 live_blocks_of(u32 site) { return live_by_site[site]; }
void add_live(u32 site, int by) { __atomic_fetch_add(&live_by_site[site], static_cast<u32>(by), __ATOMIC_RELAXED); }

u32 new_record() {
  if (header.blocks_used >= header.block_capacity) {
    note_limit(table_full);
    return none;
  }
  const u32 index = static_cast<u32>(header.blocks_used++);
  links[index] = {};
  return index;
}

// Chains hold index + 1, so that a fresh table of zeros is empty.
u32 add_outside(u64 start) {
  Locked held(outside.lock);
  u32 index = none;
  if (outside.freed < freed_kept) {
    Locked region_held(region_lock);
    index = new_record();
  }
  if (index == none && outside.freed) index = take_freed();
  if (index == none) return none;
  blocks[index].start = start;
  u32& bucket = bucket_of(start);
  links[index].next = bucket;
  bucket = index + 1;
  return index;
}

u32 find_outside(u64 start) {
  Locked held(outside.lock);
  for (u32 at = bucket_of(start); at; at = links[at - 1].next)
    if (blocks[at - 1].start == start) return at - 1;
  return none;
}

void remove_outside(u32 index) {
  Locked held(outside.lock);
  for (u32* at = &bucket_of(blocks[index].start); *at; at = &links[*at - 1].next)
    if (*at == index + 1) {
      *at = links[index].next;
      break;
    }
  links[index].next = none;
  if (outside.youngest_freed == none) outside.oldest_freed = index;
  else links[outside.youngest_freed].next = index;
  outside.youngest_freed = index;
  ++outside.freed;
}

void take_outside_lock() { outside.lock.lock(); }
void release_outside_lock() { outside.lock.unlock(); }
void give_up_outside_locks() { outside.lock.reset(); }

}  // namespace sigwhy::guard
