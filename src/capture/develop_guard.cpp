#include "capture/develop_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string_view>

#include "capture/develop_guard_events.h"
#include "capture/guard_tables.h"
#include "native/adding_lines.h"
#include "native/value_source.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t most_frame_bytes = 4096;
constexpr std::string_view loaded_role = " loaded from";
constexpr const char* what_guard_keeps = "part of what the guarded heap could have watched";

template <class T>
std::vector<T> records_in(const Target& target, const char* name) {
  const auto found = target.files.find(name);
  if (found == target.files.end()) return {};
  std::vector<T> records(found->second.size() / sizeof(T));
  if (!records.empty()) std::memcpy(static_cast<void*>(records.data()), found->second.data(), records.size() * sizeof(T));
  return records;
}

const char* call_name(guard::Call call) {
  static constexpr const char* names[] = {"",       "malloc",       "calloc",       "realloc",     "reallocarray",
                                          "memalign", "aligned_alloc", "posix_memalign", "valloc", "pvalloc",
                                          "operator new", "operator new[]", "free", "operator delete", "operator delete[]"};
  const auto index = static_cast<std::size_t>(call);
  return index < std::size(names) ? names[index] : "";
}

double seconds(std::uint32_t ms) { return static_cast<double>(ms) / 1e3; }

class Developing {
 public:
  Developing(const Target& target, const guard::Header& header, Snapshot& snapshot)
      : target_(target), s_(snapshot), contexts_(records_in<guard::Context>(target, guard_contexts_file)),
        origins_(origins_of(target, snapshot.modules, contexts_, header.unloaded)) {}

  HeapEvent event(std::uint64_t context, guard::Call call, std::uint32_t tid, double at) {
    HeapEvent e{.tid = tid, .at_seconds = at, .call = call_name(call)};
    const auto found = origins_.find(context);
    if (found == origins_.end()) {
      overwritten_ |= context != 0;
      return e;
    }
    e.frames = found->second.frames;
    e.python = found->second.python;
    return e;
  }

  HeapRecord record(const guard::Block& b) {
    HeapRecord r{.start = Address{b.start}, .bytes = b.bytes, .state = b.state == guard::State::freed ? BlockState::freed : BlockState::in_use};
    if (b.alignment_log2 < 48) r.alignment = std::uint64_t{1} << b.alignment_log2;
    r.guarded = b.mapping != 0 && b.mapping <= b.start && b.mapping_bytes < 1ull << 46;
    if (r.guarded) {
      r.mapping = Address{b.mapping};
      r.mapping_bytes = b.mapping_bytes;
      r.slack_bytes = slack_of(b);
      r.place_reused = b.tenants > 1;
    }
    r.allocated = event(b.allocated_context, b.allocated_by, b.allocated_tid, seconds(b.allocated_ms));
    if (b.state == guard::State::freed) r.freed = event(b.freed_context, b.freed_by, b.freed_tid, seconds(b.freed_ms));
    if (b.damage_bytes) r.damage = damage_of(b);
    r.array = array_in(b);
    r.roles = roles_of(b);
    return r;
  }

  HeapSite site(const KeptSite& k, double at) {
    HeapSite site{.live_blocks = k.blocks, .live_bytes = k.bytes, .allocated = event(k.context, guard::Call::none, tid_of(k.context), at)};
    site.share_recorded = k.estimated_bytes ? std::min(1.0, static_cast<double>(k.bytes) / static_cast<double>(k.estimated_bytes)) : 1;
    return site;
  }

  bool overwritten() const { return overwritten_; }

 private:
  std::uint32_t tid_of(std::uint64_t context) const {
    const auto found = std::ranges::find(contexts_, context, &guard::Context::id);
    return found == contexts_.end() ? 0 : found->tid;
  }

  // The guard's pages are whole ones: what is left between the block's end and the next page is slack.
  static std::uint64_t slack_of(const guard::Block& b) {
    constexpr std::uint64_t page = 4096;
    const auto end = b.start + b.bytes;
    return (page - end % page) % page;
  }

  static HeapDamage damage_of(const guard::Block& b) {
    HeapDamage d{.offset = b.damage_offset, .bytes = b.damage_bytes};
    const auto kept = std::min<std::uint64_t>(b.damage_bytes, guard::damage_bytes_kept);
    for (const auto byte : std::span(b.damage).first(kept)) d.found_at += fmt::format("{:02x}", static_cast<unsigned>(byte));
    return d;
  }

  // The one that fills it, or the only one that lies in it. Of several views nobody knows which was walked.
  std::optional<std::uint64_t> array_in(const guard::Block& b) const {
    std::optional<std::uint64_t> only;
    std::size_t count = 0;
    for (std::size_t i = 0; i < s_.arrays.size(); ++i) {
      const auto& array = s_.arrays[i];
      if (!array.data || array.data->value < b.start || array.data->value >= b.start + std::max<std::uint64_t>(b.bytes, 1)) continue;
      if (array.data->value == b.start && array.bytes == b.bytes) return i;
      only = i;
      ++count;
    }
    return count == 1 ? only : std::nullopt;
  }

  std::vector<std::string> roles_of(const guard::Block& b) const {
    std::vector<std::string> roles;
    const auto low = b.mapping ? std::min(b.mapping, b.start) : b.start;
    const auto high = b.mapping ? std::max(b.mapping + b.mapping_bytes, b.start + b.bytes) : b.start + b.bytes;
    const auto inside = [&](Address a) { return a.value >= low && a.value < high; };
    if (s_.fault && s_.fault->address && inside(*s_.fault->address)) roles.push_back("fault");
    if (b.damage_bytes) roles.push_back("damaged");
    if (on_stack(b)) roles.push_back("stack");
    if (std::ranges::any_of(s_.pointers, [&](const Pointer& p) { return p.role.ends_with(loaded_role) && p.value.value >= b.start && p.value.value < b.start + b.bytes; }))
      roles.push_back("read from");
    for (const Thread& thread : s_.threads)
      if (thread.died)
        for (const auto& [name, value] : thread.registers)
          if (name != "rip" && name != "rsp" && inside(value)) roles.push_back(name);
    return roles;
  }

  // A variable of the innermost functions holds the block's start.
  bool on_stack(const guard::Block& b) const {
    for (const Thread& thread : s_.threads) {
      if (!thread.died || thread.frames.size() < 2) continue;
      const auto low = thread.frames[0].stack_pointer, high = thread.frames[std::min<std::size_t>(2, thread.frames.size() - 1)].stack_pointer;
      if (!low || !high || *high <= *low) continue;
      std::vector<std::uint64_t> words(std::min<std::uint64_t>(high->value - low->value, most_frame_bytes) / 8);
      const auto got = target_.memory->read(*low, std::as_writable_bytes(std::span(words)));
      words.resize(got / 8);
      if (std::ranges::count(words, b.start)) return true;
    }
    return false;
  }

  const Target& target_;
  Snapshot& s_;
  std::vector<guard::Context> contexts_;
  std::map<std::uint64_t, Origins> origins_;
  bool overwritten_ = false;
};

void add_limits(const guard::Header& h, std::vector<Gap>& gaps) {
  if (h.limits & guard::other_allocator)
    gaps.push_back({"the heap", "the program brings an allocator of its own, which the guard leaves alone", "run it with the C library's"});
  if (h.limits & guard::map_count)
    gaps.push_back({what_guard_keeps, "the process had almost as many mappings as it may have", "raise vm.max_map_count"});
  if (h.limits & guard::no_memory) gaps.push_back({what_guard_keeps, "the kernel refused more memory", ""});
  if (h.limits & guard::table_full) gaps.push_back({what_guard_keeps, "there were more blocks than it has records for", ""});
  if (h.limits & guard::page_budget)
    gaps.push_back({what_guard_keeps, "a page for each of so many small blocks would have cost too much memory", ""});
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  const double share = whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
  return share < 1 && part ? fmt::format("{:.2f} %", share) : fmt::format("{:.0f} %", share);
}

void add_gaps(const guard::Header& h, const GuardedHeap& heap, bool overwritten, std::vector<Gap>& gaps) {
  add_limits(h, gaps);
  if (heap.mode == GuardMode::sampled && heap.allocations)
    gaps.push_back({"most of the heap",
                    fmt::format("--guard watches a sample: {} of the bytes that were allocated", percent(heap.guarded_bytes, heap.allocated_bytes)),
                    "--guard=all watches every block"});
  if (overwritten)
    gaps.push_back({"where some blocks were allocated or freed", "the guard's notes were overwritten by later ones", ""});
  const auto has_slack = [](const HeapRecord& r) { return r.guarded && r.slack_bytes > 0; };
  if (heap.mode != GuardMode::before && std::ranges::any_of(heap.blocks, has_slack))
    gaps.push_back({"reads of the few bytes between a block and its inaccessible page",
                    "the block's alignment leaves them readable; writes there are found when it is freed", ""});
}

std::optional<GuardMode> mode_of(guard::Mode mode) {
  switch (mode) {
    case guard::Mode::sampled: return GuardMode::sampled;
    case guard::Mode::all: return GuardMode::all;
    case guard::Mode::before: return GuardMode::before;
    default: return std::nullopt;
  }
}

std::optional<GuardStop> stop_of(guard::Stop stop) {
  switch (stop) {
    case guard::Stop::damaged_block: return GuardStop::damaged_block;
    case guard::Stop::double_free: return GuardStop::double_free;
    case guard::Stop::invalid_free: return GuardStop::invalid_free;
    case guard::Stop::mismatched_free: return GuardStop::mismatched_free;
    default: return std::nullopt;
  }
}

void add_stop(const guard::Header& h, const std::vector<KeptBlock>& kept, Developing& developing, GuardedHeap& heap) {
  heap.stop = stop_of(h.stop);
  if (!heap.stop) return;
  heap.stopped = h.stopped != 0;
  if (h.stop_address) heap.stop_address = Address{h.stop_address};
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (h.stop_block && kept[i].index + 1 == h.stop_block) heap.stop_block = i;
  heap.stop_event = developing.event(h.stop_context, guard::Call::none, 0, heap.at_seconds);
}

// Where the registers of the refused access had their values from.
void add_sources(const Target& target, Snapshot& s) {
  if (!s.fault || !s.fault->instruction || s.fault->thread >= s.threads.size() || s.threads[s.fault->thread].frames.empty()) return;
  const Frame& innermost = s.threads[s.fault->thread].frames[0];
  for (const MemoryOperand& o : s.fault->instruction->operands)
    for (const auto& name : {o.base, o.index})
      if (const auto from = name ? native::loaded_from(target, innermost, *name) : std::nullopt)
        s.pointers.push_back({.role = *name + std::string(loaded_role), .value = *from});
}

}  // namespace

std::optional<GuardedHeap> guarded_heap_of(const Target& target, Snapshot& s) {
  const auto headers = records_in<KeptHeader>(target, guard_header_file);
  const auto mode = headers.empty() ? std::nullopt : mode_of(headers[0].header.mode);
  if (!mode) return std::nullopt;
  const guard::Header& h = headers[0].header;
  GuardedHeap heap{.mode = *mode,
                   .allocations = h.allocations,
                   .allocated_bytes = h.allocated_bytes,
                   .guarded_allocations = h.guarded_allocations,
                   .guarded_bytes = h.guarded_bytes,
                   .live_guarded_blocks = h.live_guarded,
                   .fill_byte = h.fill_byte,
                   .freed_fill_byte = h.freed_filled ? h.freed_fill_byte : 0};
  if (headers[0].now_ns > h.started_ns) heap.at_seconds = static_cast<double>(headers[0].now_ns - h.started_ns) / 1e9;
  add_sources(target, s);
  Developing developing(target, h, s);
  auto kept = records_in<KeptBlock>(target, guard_blocks_file);
  if (kept.size() > most_kept_blocks) kept.resize(most_kept_blocks);
  for (const KeptBlock& k : kept) heap.blocks.push_back(developing.record(k.block));
  add_stop(h, kept, developing, heap);
  for (const KeptSite& k : records_in<KeptSite>(target, guard_sites_file))
    if (heap.sites.size() < most_kept_sites) heap.sites.push_back(developing.site(k, heap.at_seconds));
  native::add_site_lines(target, heap);
  add_gaps(h, heap, developing.overwritten(), s.gaps);
  return heap;
}

}  // namespace sigwhy::capture
