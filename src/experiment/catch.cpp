#include "experiment/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "evidence/names.h"

namespace sigwhy::experiment {

namespace {

constexpr std::string_view blocks = "/guarded_heap/blocks/";
constexpr std::size_t frames_compared = 3;

// The block that the finding speaks of first.
const HeapRecord* block_of(const Snapshot& s, const Finding& finding) {
  if (!s.guarded_heap) return nullptr;
  for (const Fact& fact : finding.evidence_for)
    for (const EvidenceRef& ref : fact.evidence) {
      const auto at = ref.path.find(blocks);
      if (at == std::string::npos) continue;
      std::size_t index = 0;
      const char* digits = ref.path.data() + at + blocks.size();
      if (std::from_chars(digits, ref.path.data() + ref.path.size(), index).ec != std::errc()) continue;
      if (index < s.guarded_heap->blocks.size()) return &s.guarded_heap->blocks[index];
    }
  return nullptr;
}

// Who made it: the Python line, and the innermost native callers.
std::string identity_of(const Snapshot& s, const HeapRecord& b) {
  std::string text = fmt::format("{} {} {}", b.bytes, to_name(b.state), b.allocated.call);
  if (!b.allocated.python.empty())
    text += fmt::format(" {}:{}", b.allocated.python[0].file, b.allocated.python[0].line.value_or(0));
  for (std::size_t i = 0; i < std::min(frames_compared, b.allocated.frames.size()); ++i)
    text += " " + place_in_module(s, b.allocated.frames[i].pc);
  return text;
}

bool same_access(const Catch& a, const Catch& b) {
  return a.cause == b.cause && a.instruction == b.instruction && a.block == b.block;
}

}  // namespace

std::string place_in_module(const Snapshot& s, Address pc) {
  for (const Module& m : s.modules)
    if (m.start <= pc && pc < m.end)
      return fmt::format("{} + {:#x}", m.path.substr(m.path.rfind('/') + 1), pc.value - m.start.value);
  return {};
}

Catch catch_of(const Snapshot& s, const Finding& finding) {
  Catch c{.cause = finding.cause, .proven_alone = finding.strength == Strength::proven};
  if (s.fault) c.instruction = place_in_module(s, s.fault->pc);
  if (s.guarded_heap) c.fill_byte = s.guarded_heap->fill_byte;
  c.from_books = s.guarded_heap && s.guarded_heap->stop;
  const HeapRecord* block = block_of(s, finding);
  if (!block) return c;
  c.block = identity_of(s, *block);
  if (block->place_reused && block->state == BlockState::freed) {
    c.reused_bytes = block->bytes;
    return c;
  }
  if (s.fault && s.fault->address) c.offset = static_cast<std::int64_t>(s.fault->address->value - block->start.value);
  return c;
}

bool are_alike(const std::vector<Catch>& catches) {
  return std::ranges::all_of(catches, [&](const Catch& c) { return same_access(catches.front(), c); });
}

bool are_one(const std::vector<Catch>& catches) {
  if (catches.empty() || !are_alike(catches)) return false;
  const Catch& first = catches.front();
  const auto all = [&](auto same) { return std::ranges::all_of(catches, same); };
  if (all([](const Catch& c) { return c.proven_alone; })) return true;
  if (catches.size() < 2 || first.instruction.empty()) return false;
  if (first.cause == Cause::uninitialised_read)
    return !all([&](const Catch& c) { return c.fill_byte == first.fill_byte; });
  return first.offset && !first.block.empty() && all([&](const Catch& c) { return c.offset == first.offset; });
}

}  // namespace sigwhy::experiment
