#include "guard/region.h"

#include "guard/blocks.h"
#include "guard/memory_limit.h"
#include "guard/placement.h"
#include "guard/sampling.h"
#include "guard/state.h"

namespace sigwhy::guard {

Region region;
Lock region_lock;

namespace {

constexpr int advice_install = 102, advice_remove = 103;  // MADV_GUARD_*, newer than the headers we build with
constexpr u64 most_pages_by_markers = 64;
constexpr u64 opened_at_once = 1u << 20;  // of the small zone, by markers
constexpr u64 gib = u64{1} << 30;

// Exact up to 8 pages, then four sizes to a doubling: at most a quarter of the addresses is waste, and no memory.
constexpr u32 classes = 8 + 4 * 24;
constexpr u32 class_of(u64 pages) {
  if (pages <= 8) return static_cast<u32>(pages ? pages - 1 : 0);
  const u32 log2 = 63 - static_cast<u32>(__builtin_clzll(pages - 1));
  const u64 step = u64{1} << (log2 - 2);
  return 8 + (log2 - 3) * 4 + static_cast<u32>((pages - 1 - (u64{1} << log2)) / step);
}
constexpr u64 pages_of(u32 size_class) {
  if (size_class < 8) return size_class + 1;
  const u32 log2 = 3 + (size_class - 8) / 4;
  return (u64{1} << log2) + ((size_class - 8) % 4 + 1) * (u64{1} << (log2 - 2));
}
static_assert(pages_of(class_of(9)) == 10 && pages_of(class_of(1000)) == 1024 && pages_of(class_of(8)) == 8);

struct Queue {
  u32 oldest = none, youngest = none, count = 0;
};

struct Zone {
  u64 start = 0, next = 0, end = 0;
  u64 opened_to = 0;  // by markers: readable and writable up to here, and full of markers
  u64 most_extra_pages = 1;

  bool holds(u64 address) const { return address - start < end - start; }
};

struct Slots {
  Queue queue[classes];
  Zone small, large;
  u32* owner = nullptr;  // of each page of the region: index plus one
  Pages pages = Pages::protection;
  bool markers_refused = false;
  u64 random = 0;
  u32 fresh_class = none;
  u64 quarantined = 0, most_quarantined = 0, most_quarantined_bytes = 0;
  u64 open_by_protection = 0, most_by_protection = 0;
  u64 open_small = 0, most_small = 0;  // blocks so small that their page is mostly waste
} slots;

bool is_small(u64 pages) { return pages <= most_pages_by_markers; }
bool wastes_its_page(u64 pages) { return pages <= 2; }

void unmap(u64 start, u64 end) {
  if (start < end) raw_call(SYS_munmap, static_cast<long>(start), static_cast<long>(end - start));
}

// Tried on a page of its own: a mapping that was ever touched is written to core files as a whole, with all its 200 GiB.
bool has_markers() {
  const u64 at = map_pages(0, page_bytes, PROT_READ | PROT_WRITE);
  if (!at) return false;
  const bool known = advise_pages(at, page_bytes, advice_install) && advise_pages(at, page_bytes, advice_remove);
  unmap(at, at + page_bytes);
  return known;
}

bool open_zone_to(u64 end) {
  if (end <= slots.small.opened_to) return true;
  const u64 to = round_up(end, opened_at_once) < slots.small.end ? round_up(end, opened_at_once) : slots.small.end;
  const u64 bytes = to - slots.small.opened_to;
  if (!protect_pages(slots.small.opened_to, bytes, PROT_READ | PROT_WRITE)) return false;
  if (!advise_pages(slots.small.opened_to, bytes, advice_install)) {
    protect_pages(slots.small.opened_to, bytes, PROT_NONE);
    return false;
  }
  slots.small.opened_to = to;
  return true;
}

// splitmix64: the run's seed says it all.
u64 next_random() {
  u64 x = slots.random += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

u32 carve(u32 size_class) {
  Zone& zone = is_small(pages_of(size_class)) ? slots.small : slots.large;
  const u64 extra = next_random() % zone.most_extra_pages;
  const u64 bytes = (pages_of(size_class) + 2 + extra) * page_bytes;
  if (bytes > zone.end - zone.next) return none;
  if (&zone == &slots.small && slots.pages == Pages::markers && !open_zone_to(zone.next + bytes)) return none;
  const u32 index = new_record();
  if (index == none) return none;
  Block& block = blocks[index];
  block.mapping = zone.next;
  block.mapping_bytes = bytes;
  links[index].pages = static_cast<u32>(pages_of(size_class));
  zone.next += bytes;
  const u64 first = (block.mapping - region.start) / page_bytes;
  for (u64 page = first; page < first + bytes / page_bytes; ++page) slots.owner[page] = index + 1;
  return index;
}

u32 pop(u32 size_class) {
  Queue& queue = slots.queue[size_class];
  const u32 index = queue.oldest;
  queue.oldest = links[index].next;
  if (queue.oldest == none) queue.youngest = none;
  --queue.count;
  --slots.quarantined;
  header.quarantined_bytes -= blocks[index].mapping_bytes;
  return index;
}

bool quarantine_is_full() {
  return slots.quarantined >= slots.most_quarantined || header.quarantined_bytes >= slots.most_quarantined_bytes;
}

// Its alignment may take a block of that size to the next class.
bool stays_fresh(u32 size_class) { return slots.fresh_class != none && (size_class == slots.fresh_class || size_class == slots.fresh_class + 1); }

struct Addresses {
  u64 small, large;
};

// A mode that guards few blocks needs few; a program may itself limit its addresses, later.
Addresses wanted_addresses(bool sampled) {
  const u64 memory = memory_limit_bytes(), limit = address_limit_bytes();
  Addresses wanted{.small = 128 * gib, .large = memory * 4 < 16 * gib ? 16 * gib : memory * 4 > 1024 * gib ? 1024 * gib : memory * 4};
  if (sampled) wanted = {.small = 1 * gib, .large = 5 * gib};
  if (wanted.small > limit / 32) wanted.small = limit / 32;
  if (wanted.large > limit / 32 * 3) wanted.large = limit / 32 * 3;
  return {.small = round_down(wanted.small, opened_at_once), .large = round_down(wanted.large, opened_at_once)};
}

// A marker is an entry of the page table, which every fork copies: 256 each made forks fifty times slower.
constexpr u64 most_extra_small = 16, most_extra_large = 256;

// As far apart as there is room for the blocks that may come.
u64 most_extra_pages(u64 zone_bytes, u64 blocks_expected, u64 most) {
  const u64 pages = zone_bytes / page_bytes / blocks_expected;
  return pages > most ? most : pages ? pages : 1;
}

void set_bounds(bool sampled) {
  slots.most_quarantined = sampled ? 512 : 128 << 10;
  slots.most_quarantined_bytes = region.bytes / 4;
  slots.most_by_protection = max_map_count() * 6 / 10 / 2;
  const u64 memory = memory_limit_bytes();
  // A page for a block of a few bytes: what that may cost in all.
  slots.most_small = (memory / 8 < gib ? memory / 8 : gib) / page_bytes;
}

}  // namespace

bool reserve_region(Pages pages, bool sampled) {
  const Addresses wanted = wanted_addresses(sampled);
  const u64 bytes = wanted.small + wanted.large;
  if (wanted.small == 0 || wanted.large == 0) return false;
  const u64 start = map_pages(0, bytes, PROT_NONE);
  const u64 owner = start ? map_table(bytes / page_bytes * sizeof(u32)) : 0;
  if (!owner) return false;
  slots.owner = reinterpret_cast<u32*>(owner);
  slots.random = header.seed;
  region = {.start = start, .bytes = bytes};
  const u64 middle = start + wanted.small;
  slots.small = {.start = start, .next = start, .end = middle, .opened_to = start,
                 .most_extra_pages = most_extra_pages(wanted.small, sampled ? 8 << 10 : 128 << 10, most_extra_small)};
  slots.large = {.start = middle, .next = middle, .end = start + bytes, .opened_to = 0,
                 .most_extra_pages = most_extra_pages(wanted.large, 8 << 10, most_extra_large)};
  if (pages == Pages::markers && has_markers()) {
    slots.pages = Pages::markers;
    advise_pages(start, wanted.small, MADV_NOHUGEPAGE);
  }
  set_bounds(sampled);
  return true;
}

namespace {

// Its addresses, and what would have been said of them in the table of owners.
bool give_back(Zone& zone, u64 but_for_bytes) {
  const u64 used = zone.opened_to > zone.next ? zone.opened_to : zone.next;
  const u64 end = round_up(used + but_for_bytes, opened_at_once);
  if (end >= zone.end) return false;
  const u64 old_end = zone.end;
  __atomic_store_n(&zone.end, end, __ATOMIC_RELEASE);
  unmap(end, old_end);
  const auto owners = [](u64 address) {
    return reinterpret_cast<u64>(slots.owner) + (address - region.start) / page_bytes * sizeof(u32);
  };
  unmap(round_up(owners(end), page_bytes), round_down(owners(old_end), page_bytes));
  return true;
}

}  // namespace

bool shrink_region(u64 but_for_bytes) {
  Locked held(region_lock);
  const bool large = give_back(slots.large, but_for_bytes), small = give_back(slots.small, but_for_bytes);
  return large || small;
}

bool by_markers(u64 pages) { return slots.pages == Pages::markers && is_small(pages); }

u32 room_left(u64 pages) {
  const auto left = [](u64 used, u64 most) { return used >= most ? 0 : static_cast<u32>(1024 - used * 1024 / most); };
  const u64 most_small = header.mode == Mode::sampled ? sampled_page_allowance() : slots.most_small;
  if (slots.markers_refused && by_markers(pages)) return 0;
  u32 room = wastes_its_page(pages) ? left(slots.open_small, most_small) : 1024;
  if (!by_markers(pages)) {
    const u32 mappings = left(slots.open_by_protection, slots.most_by_protection);
    if (mappings < room) room = mappings;
  }
  return room;
}

void keep_fresh(u64 bytes) {
  if (bytes) slots.fresh_class = class_of(pages_needed({.bytes = bytes, .alignment = 16}));
}

u32 take_slot(u64 pages) {
  const u32 size_class = class_of(pages);
  if (size_class >= classes) return none;
  Locked held(region_lock);
  u32 index = none;
  if (quarantine_is_full() && !stays_fresh(size_class) && slots.queue[size_class].count) index = pop(size_class);
  else if (index = carve(size_class); index == none && slots.queue[size_class].count) index = pop(size_class);
  if (index == none) {
    note_limit(no_memory);
    return none;
  }
  ++blocks[index].tenants;
  if (wastes_its_page(pages_of(size_class))) ++slots.open_small;
  if (!by_markers(pages_of(size_class))) ++slots.open_by_protection;
  return index;
}

namespace {

// False: refused, and it must not be handed out again.
bool close_small(const Block& block, Span pages) {
  // Whatever is there now goes, so that the next block finds memory as it should be.
  if (has_whole_page(block.start, block.bytes)) {
    if (!map_pages(pages.start, pages.bytes, PROT_READ | PROT_WRITE, MAP_FIXED)) return false;
    advise_pages(pages.start, pages.bytes, MADV_NOHUGEPAGE);
  }
  if (advise_pages(pages.start, pages.bytes, advice_install)) return true;
  // The program locks its memory: the kernel allows no markers there.
  slots.markers_refused = true;
  map_pages(pages.start, pages.bytes, PROT_NONE, MAP_FIXED);
  return false;
}

bool close_pages(u32 index, Span pages) {
  if (pages.bytes == 0) return true;
  const bool closed = by_markers(links[index].pages) ? close_small(blocks[index], pages)
                                                     : map_pages(pages.start, pages.bytes, PROT_NONE, MAP_FIXED) != 0;
  if (closed) return true;
  note_limit(no_memory);
  advise_pages(pages.start, pages.bytes, MADV_DONTNEED);
  return false;
}

}  // namespace

void give_slot(u32 index, Span open) {
  const bool closed = close_pages(index, open);
  const u64 pages = links[index].pages;
  const u32 size_class = class_of(pages);
  Locked held(region_lock);
  if (wastes_its_page(pages)) --slots.open_small;
  if (!by_markers(pages)) --slots.open_by_protection;
  if (!closed) return;
  Queue& queue = slots.queue[size_class];
  links[index].next = none;
  if (queue.youngest == none) queue.oldest = index;
  else links[queue.youngest].next = index;
  queue.youngest = index;
  ++queue.count;
  ++slots.quarantined;
  header.quarantined_bytes += blocks[index].mapping_bytes;
}

bool open_pages(u32 index, Span pages) {
  if (by_markers(links[index].pages)) return advise_pages(pages.start, pages.bytes, advice_remove);
  return protect_pages(pages.start, pages.bytes, PROT_READ | PROT_WRITE);
}

Room room_of(u32 index) {
  const Block& slot = blocks[index];
  const u64 bytes = links[index].pages * page_bytes;
  if (header.mode == Mode::before) {
    const u64 end = slot.mapping + slot.mapping_bytes - page_bytes;
    return {.start = end - bytes, .end = end};
  }
  return {.start = slot.mapping + page_bytes, .end = slot.mapping + page_bytes + bytes};
}

u32 slot_at(const void* p) {
  const u64 address = reinterpret_cast<u64>(p);
  if (!slots.small.holds(address) && !slots.large.holds(address)) return none;
  const u32 owner = slots.owner[(address - region.start) / page_bytes];
  return owner ? owner - 1 : none;
}

}  // namespace sigwhy::guard
