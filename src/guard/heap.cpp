#include "guard/heap.h"

#include <cstring>

#include "guard/blocks.h"
#include "guard/c_library.h"
#include "guard/canaries.h"
#include "guard/contexts.h"
#include "guard/findings.h"
#include "guard/region.h"
#include "guard/sampling.h"
#include "guard/state.h"

namespace sigwhy::guard {

namespace {

constexpr u64 most_filled = 64u << 20;  // a page that nobody touches costs nothing, unless we fill it
constexpr u64 filled_where_sampled = 16u << 10;

struct Place {
  u64 context;
  u64 pc;
  u32 site() const { return site_of(pc); }
};

u8 log2_of(u64 power) { return static_cast<u8>(__builtin_ctzll(power)); }

// The less room is left, the fewer blocks of one place in the program may take it: the thousand alike that a table
// is made of leave room for the one that is read too far. A place is the instruction that calls.
bool has_room(u64 pages, u32 site) {
  const u32 room = room_left(pages);
  const u32 alike = room > 512 ? ~u32{0} : room > 256 ? 64 : room > 64 ? 8 : room ? 2 : 0;
  if (live_blocks_of(site) < alike) return true;
  if (guards_all()) note_limit(by_markers(pages) ? page_budget : map_count);
  return false;
}

void begin_record(u32 index, u64 start, const Request& request, const Place& from) {
  Block& block = blocks[index];
  forget_context(block.allocated_context);
  forget_context(block.freed_context);
  block.start = start;
  block.bytes = request.shape.bytes;
  block.allocated_context = from.context;
  block.freed_context = 0;
  block.allocated_tid = thread_id();
  block.freed_tid = 0;
  block.allocated_ms = now_ms();
  block.freed_ms = 0;
  block.allocated_by = request.call;
  block.freed_by = Call::none;
  block.alignment_log2 = log2_of(request.shape.alignment);
  block.damage_offset = 0;
  block.damage_bytes = 0;
  links[index].pc = from.pc;
  links[index].site = from.site();
  add_live(from.site(), 1);
  note_recorded(index);
}

void fill_new(const Block& block, const Request& request) {
  const u64 most = guards_all() ? most_filled : filled_where_sampled;
  if (!request.zeroed && block.bytes <= most) std::memset(reinterpret_cast<void*>(block.start), header.fill_byte, block.bytes);
}

void publish(Block& block) { __atomic_store_n(reinterpret_cast<u8*>(&block.state), static_cast<u8>(State::live), __ATOMIC_RELEASE); }

void* make_guarded(const Request& request, const Place& from) {
  const u32 index = take_slot(pages_needed(request.shape));
  if (index == none) return nullptr;
  Block& block = blocks[index];
  const u64 start = place(room_of(index), request.shape, header.mode == Mode::before);
  if (!open_pages(index, touched(start, request.shape.bytes))) {
    note_limit(no_memory);
    give_slot(index, {});
    return nullptr;
  }
  begin_record(index, start, request, from);
  write_canaries(block);
  fill_new(block, request);
  publish(block);
  count(header.guarded_allocations);
  count(header.guarded_bytes, request.shape.bytes);
  count(header.live_guarded);
  return reinterpret_cast<void*>(start);
}

// In the C library's heap, with canaries behind it.
void* make_outside(const Request& request, const Place& from) {
  const u64 bytes = request.shape.bytes + canary_tail_bytes;
  void* p = request.shape.alignment > 16 ? __libc_memalign(request.shape.alignment, bytes)
            : request.zeroed             ? __libc_calloc(1, bytes)
                                         : __libc_malloc(bytes);
  if (!p) return nullptr;
  const u32 index = add_outside(reinterpret_cast<u64>(p));
  if (index == none) {
    forget_context(from.context);
    return p;
  }
  begin_record(index, reinterpret_cast<u64>(p), request, from);
  write_canaries(blocks[index]);
  fill_new(blocks[index], request);
  publish(blocks[index]);
  return p;
}

void end_record(Block& block, u32 index, Call call, const Caller& caller) {
  block.freed_context = keep_context(caller);
  block.freed_tid = thread_id();
  block.freed_ms = now_ms();
  block.freed_by = call;
  add_live(links[index].site, -1);
  note_freed(index);
}

// The check at the end of the program reads blocks that other threads may still free.
std::atomic<u32> being_checked{none};

void wait_for_check(u32 index) {
  while (being_checked.load(std::memory_order_seq_cst) == index) raw_call(SYS_sched_yield);
}

bool claim(Block& block) {
  u8 live = static_cast<u8>(State::live);
  return __atomic_compare_exchange_n(reinterpret_cast<u8*>(&block.state), &live, static_cast<u8>(State::freed), false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

void check_ending(Block& block, u32 index, void* p, Call call, const Caller& caller) {
  if (find_damage(block)) tell({.what = Stop::damaged_block, .pointer = p, .block = index}, caller, guards_all());
  if (guards_all() && is_mismatch({.call = block.allocated_by, .pc = links[index].pc}, {.call = call, .pc = caller.pc}))
    tell({.what = Stop::mismatched_free, .pointer = p, .block = index}, caller, true);
}

void end_guarded(void* p, Call call, const Caller& caller) {
  const u32 index = slot_at(p);
  Block& block = blocks[index];
  if (block.start != reinterpret_cast<u64>(p)) return tell({.what = Stop::invalid_free, .pointer = p, .block = index}, caller, true);
  if (block.state == State::live) check_ending(block, index, p, call, caller);
  if (!claim(block)) return tell({.what = Stop::double_free, .pointer = p, .block = index}, caller, true);
  wait_for_check(index);
  end_record(block, index, call, caller);
  discount(header.live_guarded);
  give_slot(index, touched(block.start, block.bytes));
}

// The pages themselves change their address, as the C library does it for its largest blocks: a buffer that grows to a
// gigabyte in small steps would else be copied each time. False: refused, and nothing has changed.
bool move_pages(Span from, u64 to) {
  constexpr long may_move = 1, fixed = 2, leave_mapped = 4;
  const long moved = raw_call(SYS_mremap, static_cast<long>(from.start), static_cast<long>(from.bytes),
                              static_cast<long>(from.bytes), may_move | fixed | leave_mapped, static_cast<long>(to));
  return !failed(moved);
}

}  // namespace

// The place in the page stays as it was, so the end need not be at a page's end: that slack is the price.
void* grow_block(void* p, const Request& request, const Caller& caller) {
  constexpr u64 worth_moving = 4u << 20;
  const u32 old_index = slot_at(p);
  Block& old = blocks[old_index];
  const u64 bytes = request.shape.bytes;
  if (old.bytes < worth_moving || bytes < old.bytes || bytes > old.bytes * 2) return nullptr;
  const Busy busy;
  const u32 index = take_slot(pages_needed(request.shape) + 1);
  if (index == none) return nullptr;
  Block& block = blocks[index];
  const u64 in_page = old.start % page_bytes;
  const u64 start = round_down(room_of(index).end - bytes - in_page, page_bytes) + in_page;
  const Span from = touched(old.start, old.bytes);
  if (!open_pages(index, touched(start, bytes)) || find_damage(old) || !claim(old)) {
    give_slot(index, touched(start, bytes));
    return nullptr;
  }
  wait_for_check(old_index);
  if (!move_pages(from, touched(start, bytes).start))
    std::memcpy(reinterpret_cast<void*>(start), p, old.bytes);
  begin_record(index, start, request, {.context = keep_context(caller), .pc = caller.pc});
  if (bytes - old.bytes <= most_filled) std::memset(reinterpret_cast<void*>(start + old.bytes), header.fill_byte, bytes - old.bytes);
  write_canaries(block);
  publish(block);
  count(header.guarded_allocations);
  count(header.guarded_bytes, bytes);
  end_record(old, old_index, request.call, caller);
  give_slot(old_index, from);
  return reinterpret_cast<void*>(start);
}

void* make_block(const Request& request, const Caller& caller) {
  if (header.mode == Mode::sampled) {
    const Busy busy;
    Paid paid(request.shape.bytes);
    if (!has_room(pages_needed(request.shape), site_of(caller.pc))) return nullptr;
    paid.and_pages(request.shape.bytes > filled_where_sampled ? request.shape.bytes / page_bytes : 0);
    const Place from{.context = keep_context(caller), .pc = caller.pc};
    void* p = make_guarded(request, from);
    if (!p) forget_context(from.context);
    return p;
  }
  const Busy busy;
  const Place from{.context = keep_context(caller), .pc = caller.pc};
  void* p = has_room(pages_needed(request.shape), from.site()) ? make_guarded(request, from) : nullptr;
  if (p) return p;
  p = make_outside(request, from);
  if (!p) forget_context(from.context);
  return p;
}

bool end_block(void* p, Call call, const Caller& caller) {
  if (lies_in_slot(p)) {
    const Busy busy;
    u64 bytes = 0;
    block_bytes(p, bytes);
    const Paid paid(bytes);
    end_guarded(p, call, caller);
    return true;
  }
  if (!guards_all()) return false;
  const Busy busy;
  const u32 index = find_outside(reinterpret_cast<u64>(p));
  if (index == none) return false;
  Block& block = blocks[index];
  check_ending(block, index, p, call, caller);
  if (!claim(block)) return false;  // two threads at once: the C library will say so
  wait_for_check(index);
  end_record(block, index, call, caller);
  if (block.bytes <= most_filled && !is_unmapped_by_free(p)) {
    std::memset(p, header.freed_fill_byte, block.bytes);
    count(header.freed_filled);
  }
  remove_outside(index);
  return false;
}

bool block_bytes(const void* p, u64& bytes) {
  u32 index = is_ours(p) ? slot_at(p) : none;
  if (index == none && guards_all()) index = find_outside(reinterpret_cast<u64>(p));
  if (index == none || blocks[index].start != reinterpret_cast<u64>(p)) return false;
  bytes = blocks[index].bytes;
  return true;
}

bool lies_in_slot(const void* p) { return is_ours(p) && slot_at(p) != none; }

bool is_live_block(const void* p) {
  const u32 index = slot_at(p);
  return index != none && blocks[index].start == reinterpret_cast<u64>(p) && blocks[index].state == State::live;
}

void check_live_blocks() {
  const Busy busy;
  for (u32 index = 0; index < header.blocks_used; ++index) {
    Block& block = blocks[index];
    being_checked.store(index, std::memory_order_seq_cst);
    if (block.state != State::live || !find_damage(block)) continue;
    u8 nothing = 0;
    __atomic_compare_exchange_n(reinterpret_cast<u8*>(&header.stop), &nothing, static_cast<u8>(Stop::damaged_block), false,
                                __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    if (header.stop_block == 0) header.stop_block = index + u64{1};
  }
  being_checked.store(none, std::memory_order_seq_cst);
}

}  // namespace sigwhy::guard
