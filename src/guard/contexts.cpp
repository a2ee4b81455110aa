#include "guard/contexts.h"

#include <cstring>

#include "guard/code_ranges.h"
#include "guard/python_frames.h"
#include "guard/sampling.h"
#include "guard/state.h"

namespace sigwhy::guard {

namespace {

constexpr u32 ways = 8;  // slots that one hash may take

struct Use {
  u64 key;
  u32 references;   // records that name it
  u32 last_used;
};

struct Table {
  Lock lock;
  Context* slots = nullptr;
  Use* uses = nullptr;
  u32 capacity = 0;  // a power of two
  u32 in_use = 0;    // of them, from the first on; likewise
  u32 clock = 0;
  u64 generation = 0;
} table;

u64 mix(u64 hash, u64 word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15;
  return hash ^ hash >> 29;
}

// From sp upwards, to the end of what is surely there: its own page, and the next if that can be read. A thread's
// stack does not go away under it, so the page found last is not asked for again.
u16 stack_bytes_at(u64 sp) {
  const u64 page_end = round_down(sp, page_bytes) + page_bytes;
  const u64 wanted = header.mode == Mode::sampled ? stack_bytes_kept / 2 : stack_bytes_kept;
  static_assert(stack_bytes_kept <= page_bytes);
  if (sp + wanted > page_end && page_end != thread.readable_page) {
    if (!is_readable(page_end)) return static_cast<u16>(page_end - sp);
    thread.readable_page = page_end;
  }
  return static_cast<u16>(wanted);
}

struct Seen {
  u64 key = 0;
  u16 stack_bytes = 0;
  u16 python_count = 0;
  PythonFrame python[python_frames_kept];
};

void look(const Caller& caller, Seen& seen) {
  seen.stack_bytes = static_cast<u16>(stack_bytes_at(caller.sp()) & ~7u);
  seen.python_count = python_frames(seen.python);
  u64 key = mix(header.unloaded_count, caller.pc);
  const CodeRanges& code = code_ranges(caller.pc);
  const u64* stack = reinterpret_cast<const u64*>(caller.sp());
  for (u32 i = 0; i < seen.stack_bytes / sizeof(u64); ++i)
    if (code.holds(stack[i])) key = mix(key, stack[i]);
  for (u32 i = 0; i < seen.python_count; ++i) key = mix(mix(key, seen.python[i].code), seen.python[i].instruction);
  seen.key = key ? key : 1;
}

void write(Context& to, u64 id, const Caller& caller, const Seen& seen) {
  to.id = 0;
  to.pc = caller.pc;
  to.sp = caller.sp();
  to.bp = caller.bp;
  to.bx = caller.bx;
  to.r12 = caller.r12;
  to.r13 = caller.r13;
  to.r14 = caller.r14;
  to.r15 = caller.r15;
  to.unloaded_count = header.unloaded_count;
  to.tid = thread_id();
  to.python_count = seen.python_count;
  to.stack_bytes = seen.stack_bytes;
  std::memcpy(to.python, seen.python, seen.python_count * sizeof(PythonFrame));
  std::memcpy(to.stack, reinterpret_cast<const void*>(caller.sp()), seen.stack_bytes);
  __atomic_store_n(&to.id, id, __ATOMIC_RELEASE);
}

// The slot with this key, or the one to take for it: free, else the longest unused of those that no record names,
// else the longest unused of all. What is long past is rarely what a program dies of.
u32 slot_for(u64 key, bool& found) {
  const u32 first = static_cast<u32>(key) & (table.in_use - 1) & ~(ways - 1);
  u32 best = first;
  u64 longest = 0;
  for (u32 slot = first; slot < first + ways; ++slot) {
    const Use& use = table.uses[slot];
    if (use.key == key) {
      found = true;
      return slot;
    }
    constexpr u64 unnamed = u64{1} << 33, unused = u64{1} << 34;
    const u64 unused_for = use.key == 0 ? unused : table.clock - use.last_used + (use.references ? 0 : unnamed) + u64{1};
    if (unused_for > longest) {
      longest = unused_for;
      best = slot;
    }
  }
  return best;
}

// Each takes a page or two: in a small process it would show. So there are few at first, and more when one that is still
// named would have to go and the process has grown. What was kept stays where it is.
bool may_use_more() {
  const u64 more = u64{table.in_use} * 2;
  if (more > table.capacity || more * sizeof(Context) > resident_pages() * page_bytes / 32) return false;
  table.in_use = static_cast<u32>(more);
  return true;
}

}  // namespace

bool make_contexts(u32 capacity, u32 in_use) {
  const u64 slots = map_table(capacity * sizeof(Context));
  const u64 uses = map_table(capacity * sizeof(Use));
  if (!slots || !uses) return false;
  table.slots = reinterpret_cast<Context*>(slots);
  table.uses = reinterpret_cast<Use*>(uses);
  table.capacity = capacity;
  table.in_use = in_use < capacity ? in_use : capacity;
  header.contexts = slots;
  header.context_capacity = capacity;
  return true;
}

u64 keep_context(const Caller& caller) {
  Seen seen;
  look(caller, seen);
  Locked held(table.lock);
  bool found = false;
  u32 slot = slot_for(seen.key, found);
  if (!found && table.uses[slot].references && may_use_more()) slot = slot_for(seen.key, found);
  Use& use = table.uses[slot];
  Context& context = table.slots[slot];
  if (!found) {
    use = {.key = seen.key, .references = 0, .last_used = 0};
    write(context, ++table.generation * table.capacity + slot, caller, seen);
  }
  ++use.references;
  use.last_used = ++table.clock;
  return context.id;
}

void forget_context(u64 id) {
  if (!id) return;
  const u32 slot = static_cast<u32>(id % table.capacity);
  Locked held(table.lock);
  if (table.slots[slot].id == id && table.uses[slot].references) --table.uses[slot].references;
}

void take_context_lock() { table.lock.lock(); }
void release_context_lock() { table.lock.unlock(); }
void give_up_context_lock() { table.lock.reset(); }

}  // namespace sigwhy::guard
