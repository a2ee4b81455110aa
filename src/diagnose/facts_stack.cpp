// Did the thread run out of stack? The main thread's stack grows until its limit: a touch below the mapping that
// the kernel refuses is beyond the limit. Other threads have a fixed mapping with an inaccessible guard below.
// In both cases the stack pointer itself has reached the end; an index that is merely wild leaves it where it was.
#include <algorithm>

#include "diagnose/facts_parts.h"

namespace sigwhy::diagnose {

namespace {

// A function may use 128 bytes below the stack pointer; calls and pushes go a little further.
constexpr std::uint64_t reach_below_pointer = page_bytes;
// A pointer that far outside its stack belongs to another story.
constexpr std::uint64_t largest_jump = 1ull << 40;

constexpr std::uint64_t largest_frame = 64u << 20;

struct Bounds {
  std::uint64_t low = 0, high = 0, pointer = 0;
};

bool is_stack(const Region& r) { return r.kind == RegionKind::stack || r.kind == RegionKind::thread_stack; }

// A thread's own variables lie at the top of its stack. Where a large frame has stepped over the guard, the mapping next
// to the stack pointer is somebody else's.
std::optional<Bounds> stepped_over(const Facts& f, std::uint64_t rsp) {
  const auto own = register_value(f, "fs_base");
  if (!own || f.dying->tid == f.snapshot.process.pid) return std::nullopt;
  const Region* r = region_at(f, place_of(f.snapshot, {*own}));
  if (!r || !is_writable(*r) || rsp >= r->start.value || r->start.value - rsp > largest_frame) return std::nullopt;
  const auto guard = touching_below(f.snapshot, *place_of(f.snapshot, {*own}).region);
  if (!guard || !is_closed(f.snapshot.regions[*guard])) return std::nullopt;
  return Bounds{r->start.value, r->end.value, rsp};
}

std::optional<Bounds> own_stack(const Facts& f) {
  const auto rsp = register_value(f, "rsp");
  if (const auto own = rsp ? stepped_over(f, *rsp) : std::nullopt) return own;
  if (f.dying->stack) {
    const auto& s = *f.dying->stack;
    return Bounds{s.low.value, s.high.value, rsp.value_or(s.pointer.value)};
  }
  if (!rsp) return std::nullopt;
  const auto place = place_of(f.snapshot, {*rsp});
  for (const auto& candidate : {place.region, place.upper})
    if (candidate && is_stack(f.snapshot.regions[*candidate])) {
      const Region& r = f.snapshot.regions[*candidate];
      return Bounds{r.start.value, r.end.value, *rsp};
    }
  return std::nullopt;
}

// The bounds may include the guard: the stack that can be used starts behind it.
void skip_guard(const Facts& f, Bounds& b) {
  for (int hops = 0; hops < 2; ++hops) {
    const auto at_low = place_of(f.snapshot, {b.low});
    const Region* r = region_at(f, at_low);
    if (!r || !is_closed(*r) || r->end.value >= b.high) return;
    b.low = r->end.value;
  }
}

// The main thread's mapping grows up to its limit; it has not got there where one step went far below it.
std::uint64_t usable_bytes(const Facts& f, const Bounds& b) {
  const std::uint64_t mapped = b.high - b.low;
  if (f.dying->tid != f.snapshot.process.pid) return mapped;
  return std::max(mapped, soft_limit(f, "stack-size").value_or(mapped));
}

}  // namespace

void add_stack(Facts& f) {
  auto bounds = own_stack(f);
  if (!bounds) return;
  skip_guard(f, *bounds);
  const auto [low, high, rsp] = *bounds;
  const std::uint64_t address = f.memory->address.value;
  if (low >= high || address >= low || rsp >= low + page_bytes || rsp + largest_jump < low) return;
  if (address + reach_below_pointer < rsp) return;
  const Region* at = region_at(f, f.memory->place);
  if (at && !is_closed(*at)) return;
  f.stack_end = StackEnd{.size_bytes = usable_bytes(f, *bounds),
                         .used_bytes = high - rsp,
                         .pointer_below_bytes = static_cast<std::int64_t>(low - rsp),
                         .access_below_bytes = low - address};
}

}  // namespace sigwhy::diagnose
