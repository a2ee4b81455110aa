// From the address to the block. What makes it certain in a single run:
//   - the operand's pointer register points into the block, and the address lies in the block's own pages: wherever
//     the index came from, the access left the block it started in;
//   - the address is the first that cannot be touched beside the block, where a walk over it ends; a register, a
//     variable or an array ties the block too, and no other block;
//   - a copy was told to begin in the block, and its length leads out of it;
//   - for a freed block: the operand's pointer is the block's own start, or an index leads on from inside it.
// Nothing less: `out[i] = in[i * stride]` leaves `in` and lands beside `out`, with `out` in a register; a pointer stays
// in a register long after its block was freed. Such ties are strong, and several layouts of the heap settle them
// (experiment/catch.h). A pointer into one block and an address in no block's pages is a far jump: strong, no more.
#include <algorithm>
#include <array>

#include "diagnose/facts_parts.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::array registers = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8",
                                  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
constexpr std::uint64_t longest_access = 64;

const GuardedHeap* heap_of(const Facts& f) { return f.snapshot.guarded_heap ? &*f.snapshot.guarded_heap : nullptr; }

std::uint64_t end_of(const HeapRecord& b) { return b.start.value + b.bytes; }
// One behind its end is a pointer that C allows.
bool points_into(const HeapRecord& b, std::uint64_t a) { return a >= b.start.value && a <= end_of(b); }
bool in_own_pages(const HeapRecord& b, std::uint64_t a) {
  return b.mapping && a >= b.mapping->value && a - b.mapping->value < b.mapping_bytes;
}

GuardSide side_of(const HeapRecord& b, std::uint64_t a) {
  if (a < b.start.value) return GuardSide::before;
  return a < end_of(b) ? GuardSide::inside : GuardSide::behind;
}

GuardHit hit_on(const GuardedHeap& heap, std::size_t index, std::uint64_t address) {
  const HeapRecord& b = heap.blocks[index];
  GuardHit hit{.block = index, .side = side_of(b, address), .freed = b.state == BlockState::freed};
  hit.own_pages = in_own_pages(b, address);
  if (hit.side == GuardSide::behind) hit.bytes = address - end_of(b);
  if (hit.side == GuardSide::before) hit.bytes = b.start.value - address;
  return hit;
}

std::optional<std::size_t> owner_of(const GuardedHeap& heap, std::uint64_t address) {
  for (std::size_t i = 0; i < heap.blocks.size(); ++i)
    if (in_own_pages(heap.blocks[i], address)) return i;
  return std::nullopt;
}

// Blocks in use first: a freed one may have had the same place before.
std::optional<std::size_t> block_under(const GuardedHeap& heap, std::uint64_t pointer) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < heap.blocks.size(); ++i) {
    if (!points_into(heap.blocks[i], pointer)) continue;
    if (heap.blocks[i].state == BlockState::in_use) return i;
    if (!found) found = i;
  }
  return found;
}

// The first bytes behind (or before) it that cannot be touched, for an access of this width.
bool is_contiguous(const HeapRecord& b, const GuardHit& hit, const MemoryFault& m) {
  if (hit.freed || hit.side == GuardSide::inside || !hit.own_pages) return false;
  const auto width = std::clamp<std::uint64_t>(m.width_bytes.value_or(1), 1, longest_access);
  const auto a = m.address.value;
  if (hit.side == GuardSide::behind) {
    const auto closed = end_of(b) + b.slack_bytes;
    return a + width > closed && a < closed + width;
  }
  const auto closed = b.start.value / page_bytes * page_bytes;
  return a < closed && closed - a <= width;
}

bool copies(const Facts& f) { return !f.frames.empty() && f.frames[0].role == Role::bulk_copy; }

bool leads_elsewhere(const MemoryFault& m) { return m.base && m.base->value != m.address.value; }

std::string pointing_register(const Facts& f, const HeapRecord& b) {
  for (const auto name : registers)
    if (const auto value = register_value(f, name); value && points_into(b, *value) && *value != f.memory->address.value)
      return name;
  return {};
}

bool has_role(const HeapRecord& b, std::string_view role) { return std::ranges::count(b.roles, role) > 0; }

// Its array is the one that the access is tied to, or the Python line that runs hands it over.
bool has_array(const Facts& f, std::size_t block) {
  const auto& array = heap_of(f)->blocks[block].array;
  if (!array) return false;
  return (f.array_access && f.array_access->array == *array) || (*array < f.arrays.size() && f.arrays[*array].at_line);
}

void set(GuardHit& hit, GuardTie tie, std::string by, bool certain) {
  hit.tie = tie;
  hit.by = std::move(by);
  hit.certain = certain;
}

// A freed block is closed as a whole. Where its place had an owner before, the pointer may be that one's.
void tie_freed(const Facts& f, const HeapRecord& b, GuardHit& hit) {
  const MemoryFault& m = *f.memory;
  const bool inside = hit.side == GuardSide::inside;
  // A pointer into its middle may have come in large steps from another block, unless an index leads on from it.
  // A loop that has already moved its pointer on begins its walk at the start all the same.
  const bool into = m.base && points_into(b, m.base->value);
  const bool own_start = into && (m.base->value == b.start.value || (m.address == b.start && leads_elsewhere(m)));
  if (own_start || (into && m.index && leads_elsewhere(m)))
    return set(hit, GuardTie::base, m.base->name, inside && !b.place_reused);
  if (const auto name = pointing_register(f, b); !name.empty()) return set(hit, GuardTie::pointer, name, false);
  if (has_array(f, hit.block)) return set(hit, GuardTie::array, {}, false);
  if (has_role(b, "stack")) return set(hit, GuardTie::variable, {}, false);
  if (m.address == b.start) set(hit, GuardTie::contiguous, {}, false);
}

// Another block in use that a register or a variable of the function refers to: the walk may have begun there.
bool may_begin_elsewhere(const Facts& f, std::size_t block) {
  const auto& blocks = heap_of(f)->blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (i != block && blocks[i].state == BlockState::in_use &&
        std::ranges::any_of(blocks[i].roles, [](const std::string& role) { return role != "damaged"; }))
      return true;
  return false;
}

void tie_live(const Facts& f, const HeapRecord& b, GuardHit& hit) {
  const MemoryFault& m = *f.memory;
  if (m.base && points_into(b, m.base->value) && leads_elsewhere(m))
    return set(hit, GuardTie::base, m.base->name, true);
  const auto name = pointing_register(f, b);
  const bool tied = !name.empty() || has_array(f, hit.block) || has_role(b, "stack");
  if (is_contiguous(b, hit, m)) return set(hit, GuardTie::contiguous, name, tied && !may_begin_elsewhere(f, hit.block));
  if (!name.empty()) return set(hit, GuardTie::pointer, name, false);
  if (has_array(f, hit.block)) return set(hit, GuardTie::array, {}, false);
  if (has_role(b, "stack")) set(hit, GuardTie::variable, {}, false);
}

// The pointer lies in a block and the address somewhere else: it went far.
std::optional<GuardHit> from_afar(const Facts& f, const GuardedHeap& heap) {
  const MemoryFault& m = *f.memory;
  if (!m.base || !leads_elsewhere(m)) return std::nullopt;
  const auto block = block_under(heap, m.base->value);
  if (!block) return std::nullopt;
  const HeapRecord& b = heap.blocks[*block];
  GuardHit hit = hit_on(heap, *block, m.address.value);
  if (hit.side == GuardSide::inside || hit.freed) return std::nullopt;
  // A copy touches everything from its start on, whichever end it begins with.
  const bool copied = copies(f) && hit.side == GuardSide::behind && b.state == BlockState::in_use;
  set(hit, copied ? GuardTie::copy : GuardTie::base, m.base->name, copied);
  return hit;
}

// A stack that the program allocated for itself has run over: no index is to blame.
bool by_stack_pointer(const MemoryFault& m) { return m.operand && m.operand->base == "rsp"; }

// The guard's own trouble is none of the program's.
bool in_guard(const Facts& f) {
  if (!f.dying || f.dying->frames.empty() || !f.dying->frames[0].module) return false;
  const auto module = *f.dying->frames[0].module;
  return module < f.snapshot.modules.size() && f.snapshot.modules[module].path.ends_with("/libsigwhy_guard.so");
}

std::optional<GuardHit> hit_of(const Facts& f) {
  const GuardedHeap* heap = heap_of(f);
  if (!heap || !f.memory || f.memory->computed || by_stack_pointer(*f.memory) || in_guard(f)) return std::nullopt;
  const auto owner = owner_of(*heap, f.memory->address.value);
  const auto afar = from_afar(f, *heap);
  if (!owner) return afar;
  GuardHit hit = hit_on(*heap, *owner, f.memory->address.value);
  const HeapRecord& b = heap->blocks[*owner];
  hit.freed ? tie_freed(f, b, hit) : tie_live(f, b, hit);
  if (hit.certain) return hit;
  // It began in another block: that one was left, whosever pages it came to.
  if (afar && afar->block != hit.block && hit.tie != GuardTie::base) return afar;
  return hit;
}

// ---- fill

std::optional<int> fill_bytes(std::uint64_t value, int fill) {
  if (fill == 0) return std::nullopt;  // nothing was filled
  const auto repeated = static_cast<std::uint64_t>(fill) * 0x0101010101010101ull;
  if (value == repeated) return 8;
  const auto low = value & 0xffffffff, high = value >> 32;
  if (low == (repeated & 0xffffffff) && (high == 0 || high == 0xffffffff)) return 4;
  const auto upper = value >> 16;
  if ((value & 0xffff) == (repeated & 0xffff) && (upper == 0 || upper == 0xffffffffffff)) return 2;
  return std::nullopt;
}

std::optional<GuardFill> fill_in(const GuardedHeap& heap, std::uint64_t value, std::string what, std::string reg) {
  for (const bool freed : {false, true})
    if (const auto bytes = fill_bytes(value, freed ? heap.freed_fill_byte : heap.fill_byte))
      return GuardFill{freed, value, *bytes, std::move(what), std::move(reg)};
  return std::nullopt;
}

// The index was added before: a register still points to a recorded block, and the distance is a multiple of the fill.
std::optional<GuardFill> fill_in_distance(const Facts& f, const GuardedHeap& heap) {
  const auto address = f.memory->address.value;
  for (const HeapRecord& b : heap.blocks)
    for (const std::uint64_t step : {1, 2, 4, 8}) {
      const auto distance = static_cast<std::int64_t>(address - b.start.value);
      if (distance % static_cast<std::int64_t>(step) != 0) continue;
      const auto index = static_cast<std::uint64_t>(distance / static_cast<std::int64_t>(step));
      auto fill = fill_in(heap, index, "the index", {});
      if (fill && fill->bytes >= 4) return fill;
    }
  return std::nullopt;
}

std::optional<GuardFill> fill_of(const Facts& f) {
  const GuardedHeap* heap = heap_of(f);
  if (!heap || !heap->fill_byte) return std::nullopt;
  if (f.jump && f.jump->target.value) return fill_in(*heap, f.jump->target.value, "the address that was called", {});
  if (!f.memory) return std::nullopt;
  const MemoryFault& m = *f.memory;
  if (m.base)
    if (auto fill = fill_in(*heap, m.base->value, "the pointer in " + m.base->name, m.base->name); fill && fill->bytes == 8)
      return fill;
  if (m.index)
    if (auto fill = fill_in(*heap, m.index->value, "the index in " + m.index->name, m.index->name)) return fill;
  if (copies(f))
    for (const auto name : {"rdx", "rcx"})
      if (const auto value = register_value(f, name))
        if (auto fill = fill_in(*heap, *value, std::string("the length in ") + name, name); fill && fill->bytes >= 4) return fill;
  return fill_in_distance(f, *heap);
}

// The block that the register's value was read from.
void add_origin(const Facts& f, GuardFill& fill) {
  const auto& pointers = f.snapshot.pointers;
  const auto from = std::ranges::find(pointers, fill.reg + " loaded from", &Pointer::role);
  if (from == pointers.end()) return;
  const auto& blocks = heap_of(f)->blocks;
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (from->value >= blocks[i].start && from->value.value < end_of(blocks[i])) fill.block = i;
}

}  // namespace

void add_guard(Facts& f) {
  f.guard_hit = hit_of(f);
  f.guard_fill = fill_of(f);
  if (!f.guard_fill) return;
  add_origin(f, *f.guard_fill);
}

}  // namespace sigwhy::diagnose
