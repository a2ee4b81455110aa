#include "capture/grab_guard.h"

#include <stdio.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "capture/clock.h"
#include "capture/grab_guard_sites.h"
#include "python/frames.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t chunk_blocks = 512;
// A program that guards every block may have a million records (a training run has); on a busy machine their reading
// takes a while. Without the block that was hit all else is worth nothing, so that search gets the time it needs.
constexpr double most_search_seconds = 2.0;
constexpr double most_sites_seconds = 0.15;
constexpr std::uint64_t near_bytes = 16u << 20;
constexpr std::uint64_t canary_reach = 64;  // in front of and behind a block without a page of its own

constexpr const char* not_in_this_process =
    "its library is not in this process: static, set-user-id, or started with an environment of its own";

enum Importance { nothing = 0, nearest = 1, by_register = 2, damaged = 3, at_fault = 4, handed_to_free = 5 };

struct Candidate {
  KeptBlock kept;
  int importance = nothing;
};

struct Extent {
  std::uint64_t low, high;
  bool holds(std::uint64_t a) const { return a >= low && a < high; }
};

Extent extent_of(const guard::Block& b) {
  if (b.mapping && b.mapping <= b.start && b.mapping + b.mapping_bytes > b.mapping)
    return {b.mapping, b.mapping + b.mapping_bytes};
  return {b.start - std::min(b.start, canary_reach), b.start + b.bytes + canary_reach};
}

class Selection {
 public:
  explicit Selection(const GuardRequest& request, std::uint64_t stop_block) : request_(request), stop_block_(stop_block) {}

  void look_at(std::uint64_t index, const guard::Block& b) {
    if (b.start == 0 || b.state == guard::State::unused || b.start + b.bytes < b.start) return;
    const Extent extent = extent_of(b);
    if (const int importance = importance_of(index, b, extent)) return keep(index, b, importance);
    if (!request_.fault) return;
    consider(below_, index, b, request_.fault >= extent.high ? request_.fault - extent.high : ~0ull);
    consider(above_, index, b, extent.low > request_.fault ? extent.low - request_.fault : ~0ull);
  }

  std::span<const Candidate> finish() {
    for (const Near* near : {&below_, &above_})
      if (near->distance < near_bytes) keep(near->kept.index, near->kept.block, nearest);
    std::sort(kept_.begin(), kept_.begin() + count_,
              [](const Candidate& a, const Candidate& b) { return a.importance > b.importance; });
    return {kept_.data(), count_};
  }

 private:
  struct Near {
    KeptBlock kept;
    std::uint64_t distance = ~0ull;
  };

  int importance_of(std::uint64_t index, const guard::Block& b, const Extent& extent) const {
    if (stop_block_ && index + 1 == stop_block_) return handed_to_free;
    if (request_.fault && extent.holds(request_.fault)) return at_fault;
    if (b.damage_bytes) return damaged;
    const auto points_there = [&](std::uint64_t p) { return extent.holds(p); };
    return std::any_of(request_.pointers.begin(), request_.pointers.end(), points_there) ? by_register : nothing;
  }

  static void consider(Near& near, std::uint64_t index, const guard::Block& b, std::uint64_t distance) {
    if (distance < near.distance) near = {{index, b}, distance};
  }

  // Of equals the later one stays: a place that was given out again belongs to the newest.
  void keep(std::uint64_t index, const guard::Block& b, int importance) {
    if (count_ < kept_.size()) {
      kept_[count_++] = {{index, b}, importance};
      return;
    }
    const auto least = std::min_element(kept_.begin(), kept_.end(), [](const Candidate& x, const Candidate& y) {
      return std::pair(x.importance, x.kept.block.allocated_ms) < std::pair(y.importance, y.kept.block.allocated_ms);
    });
    if (least->importance <= importance) *least = {{index, b}, importance};
  }

  const GuardRequest& request_;
  std::uint64_t stop_block_;
  std::array<Candidate, most_kept_blocks> kept_;
  std::size_t count_ = 0;
  Near below_, above_;
};

// Every record, a few hundred at a time; false: the time was up.
template <class Visit>
bool each_block(const Memory& memory, const guard::Header& header, double deadline, ArenaWriter& arena, Visit visit) {
  // Read into what is free of the arena: the supervisor's own memory is all locked, and counted.
  std::size_t room = 0;
  std::byte* const scratch = arena.reserve(RecordType::file, chunk_blocks * sizeof(guard::Block), room);
  if (!scratch) return false;
  for (std::uint64_t first = 0; first < header.blocks_used; first += chunk_blocks) {
    const auto count = std::min<std::uint64_t>(chunk_blocks, header.blocks_used - first);
    const auto got = memory.read(Address{header.blocks + first * sizeof(guard::Block)}, {scratch, count * sizeof(guard::Block)}) / sizeof(guard::Block);
    for (std::uint64_t i = 0; i < got; ++i) {
      guard::Block block;
      std::memcpy(&block, scratch + i * sizeof block, sizeof block);
      visit(first + i, block);
    }
    if (monotonic_s() > deadline) return false;
  }
  return true;
}

// Writes the contexts of these ids one behind another, each once and only where the slot still holds it.
class ContextWriter {
 public:
  ContextWriter(const Memory& memory, const guard::Header& header, ArenaWriter& arena)
      : memory_(memory), header_(header), arena_(arena) {
    std::size_t room = 0;
    into_ = arena.reserve(RecordType::file, sizeof(FileRecord) + sizeof(guard::Context), room);
    if (!into_) return;
    FileRecord record{};
    std::strncpy(record.name, guard_contexts_file, sizeof record.name - 1);
    std::memcpy(into_, &record, sizeof record);
    most_ = std::min((room - sizeof record) / sizeof(guard::Context), most_contexts);
  }
  std::span<const std::byte> finish() {
    if (!count_) return {};
    arena_.commit(sizeof(FileRecord) + count_ * sizeof(guard::Context));
    return {into_ + sizeof(FileRecord), count_ * sizeof(guard::Context)};
  }

  void add(std::uint64_t id) {
    if (!id || !header_.context_capacity || count_ >= most_) return;
    std::byte* const slot = into_ + sizeof(FileRecord) + count_ * sizeof(guard::Context);
    const Address at{header_.contexts + id % header_.context_capacity * sizeof(guard::Context)};
    const auto got = memory_.read(at, {slot, sizeof(guard::Context)});
    if (got < used_bytes(slot, got)) return;
    std::memset(slot + got, 0, sizeof(guard::Context) - got);
    std::uint64_t found = 0;
    std::memcpy(&found, slot, sizeof found);
    if (found != id || has(id)) return;
    ++count_;
  }

 private:
  static constexpr std::size_t most_contexts = 2 * most_kept_blocks + most_kept_sites + 1;

  // What it keeps of the stack may end before its room does, and of a process that was killed for memory a page that was
  // never written cannot be read.
  static std::size_t used_bytes(const std::byte* slot, std::size_t got) {
    constexpr std::size_t head = offsetof(guard::Context, stack);
    std::uint16_t stack_bytes = 0;
    if (got >= head) std::memcpy(&stack_bytes, slot + offsetof(guard::Context, stack_bytes), sizeof stack_bytes);
    return head + std::min<std::size_t>(stack_bytes, guard::stack_bytes_kept);
  }

  bool has(std::uint64_t id) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (std::memcmp(into_ + sizeof(FileRecord) + i * sizeof(guard::Context), &id, sizeof id) == 0) return true;
    return false;
  }

  const Memory& memory_;
  const guard::Header& header_;
  ArenaWriter& arena_;
  std::byte* into_ = nullptr;
  std::size_t count_ = 0, most_ = 0;
};

void write_blocks(std::span<const Candidate> kept, ArenaWriter& arena) {
  std::array<KeptBlock, most_kept_blocks> blocks;
  for (std::size_t i = 0; i < kept.size(); ++i) blocks[i] = kept[i].kept;
  arena.file(guard_blocks_file, blocks.data(), kept.size() * sizeof(KeptBlock));
}

}  // namespace

CopiedGuard copy_guard(const Memory& memory, const MapTable& maps, const GuardRequest& request, ArenaWriter& arena) {
  const auto found = find_guard(memory, maps);
  if (!found) {
    const bool loaded = maps_guard(maps);
    if (!loaded && request.asked)
      arena.gap("the guarded heap", *request.asked ? request.asked : not_in_this_process, "");
    if (loaded) arena.gap("what the guarded heap recorded", "its tables are not where they should be, or damaged", "");
    return {.loaded = loaded};
  }
  const guard::Header& header = found->header;
  const KeptHeader kept_header{header, static_cast<std::uint64_t>(monotonic_s() * 1e9)};
  arena.file(guard_header_file, &kept_header, sizeof kept_header);
  Selection selection(request, header.stop_block);
  const bool whole = each_block(memory, header, monotonic_s() + most_search_seconds, arena,
                                [&](std::uint64_t index, const guard::Block& b) { selection.look_at(index, b); });
  if (!whole) arena.gap("some blocks of the guarded heap", "there were too many records to read while the program stood still", "");
  const auto kept = selection.finish();
  write_blocks(kept, arena);
  SiteTable sites(memory, header);
  const bool all_sites =
      !request.sites || each_block(memory, header, monotonic_s() + most_sites_seconds, arena, [&](std::uint64_t, const guard::Block& b) {
        if (b.start && b.state == guard::State::live) sites.add(b);
      });
  if (!all_sites) arena.gap("some places that made the living blocks", "there were too many blocks to count them all", "");
  std::array<KeptSite, most_kept_sites> largest;
  const auto site_count = request.sites ? sites.largest(largest) : 0;
  if (site_count) arena.file(guard_sites_file, largest.data(), site_count * sizeof(KeptSite));
  ContextWriter contexts(memory, header, arena);
  contexts.add(header.stop_context);
  for (const Candidate& c : kept) {
    contexts.add(c.kept.block.allocated_context);
    contexts.add(c.kept.block.freed_context);
  }
  for (std::size_t i = 0; i < site_count; ++i) contexts.add(largest[i].context);
  return {.loaded = true, .contexts = contexts.finish()};
}

void copy_guard_lines(const Memory& recording, const python::Interpreter& interpreter, std::span<const std::byte> contexts) {
  class Nobody final : public python::FrameSink {
    void thread(const python::WalkedThread&) override {}
    void frame(const python::WalkedFrame&) override {}
  } nobody;
  for (std::size_t at = 0; at + sizeof(guard::Context) <= contexts.size(); at += sizeof(guard::Context)) {
    guard::Context c;
    std::memcpy(&c, contexts.data() + at, sizeof c);
    const auto count = std::min<std::size_t>(c.python_count, guard::python_frames_kept);
    for (std::size_t i = 0; i < count; ++i)
      python::walk_code(recording, interpreter.layout, Address{c.python[i].code}, c.python[i].instruction, nobody);
  }
}

}  // namespace sigwhy::capture
