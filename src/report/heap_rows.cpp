#include "report/heap_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "evidence/heap_words.h"
#include "evidence/names.h"
#include "report/symbols.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_blocks = 2;

// "/guarded_heap/blocks/3/freed" -> 3
std::optional<std::size_t> block_in(std::string_view path) {
  constexpr std::string_view start = "/guarded_heap/blocks/";
  if (!path.starts_with(start)) return std::nullopt;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(path.data() + start.size(), path.data() + path.size(), index);
  return error == std::errc() ? std::optional(index) : std::nullopt;
}

std::vector<std::size_t> blocks_told(const Snapshot& s, const std::vector<const Finding*>& told) {
  std::vector<std::size_t> blocks;
  for (const Finding* finding : told)
    for (const auto& fact : finding->evidence_for)
      for (const auto& ref : fact.evidence)
        if (const auto index = block_in(ref.path); index && *index < s.guarded_heap->blocks.size() && std::ranges::count(blocks, *index) == 0)
          blocks.push_back(*index);
  return blocks;
}

std::string place_text(const Snapshot& s, const HeapEvent& event) {
  const auto place = heap_place_text(s, event);
  if (place.empty()) return {};
  return (native_place_text(s, event).empty() ? " at " : " in ") + place;
}

std::string ago_text(const Snapshot& s, const HeapEvent& event) {
  const double seconds = s.guarded_heap->at_seconds - event.at_seconds;
  return seconds < 0 ? std::string() : ", " + duration_text(seconds) + " before";
}

const Thread* dying(const Snapshot& s) {
  const auto found = std::ranges::find(s.threads, true, &Thread::died);
  return found == s.threads.end() ? nullptr : &*found;
}

std::string freed_text(const Snapshot& s, const HeapEvent& event) {
  auto text = place_text(s, event);
  if (!text.empty()) text.erase(0, 1);
  const Thread* died = dying(s);
  if (event.tid && died && died->tid != event.tid) text += fmt::format("{}(thread {})", text.empty() ? "" : " ", event.tid);
  text += ago_text(s, event);
  return text.starts_with(", ") ? text.substr(2) : text;
}

std::string frame_line(const Snapshot& s, const Frame& frame) {
  const bool known = frame.module && *frame.module < s.modules.size();
  auto text = frame.symbol ? short_symbol(*frame.symbol) : hex_text(frame.pc);
  if (known) text += fmt::format("  {}", base_name(s.modules[*frame.module].path));
  if (frame.source) text += fmt::format("  {}:{}", base_name(frame.source->file), frame.source->line);
  return text;
}

void add_event(const Snapshot& s, const char* label, const HeapEvent& event, Section& section) {
  section.rows.push_back({{label, fmt::format("{}{}thread {}, {:.3f} s after the start", event.call, event.call.empty() ? "" : ", ", event.tid, event.at_seconds)}});
  for (const auto& frame : event.python)
    section.rows.push_back({{"", fmt::format("{}:{}  {}", base_name(frame.file), frame.line.value_or(0), frame.function)}});
  for (const auto& frame : event.frames) section.rows.push_back({{"", frame_line(s, frame)}});
  if (event.python.empty() && event.frames.empty()) section.rows.push_back({{"", "from where is not known any more"}});
}

Section block_section(const Snapshot& s, const HeapRecord& b) {
  Section section{fmt::format("Block at {}: {}, {}", hex_text(b.start), counted(b.bytes, "byte"), to_name(b.state)), {}};
  if (!b.roles.empty()) section.rows.push_back({{"kept for", fmt::format("{}", fmt::join(b.roles, ", "))}});
  section.rows.push_back({{"guarded by", b.guarded ? fmt::format("an inaccessible page, {} of slack", counted(b.slack_bytes, "byte")) : "bytes behind it that are checked"}});
  if (b.damage)
    section.rows.push_back({{"damaged", fmt::format("{} from offset {} on, they hold {}", counted(b.damage->bytes, "byte"), b.damage->offset, b.damage->found_at)}});
  add_event(s, "allocated", b.allocated, section);
  if (b.freed) add_event(s, "freed", *b.freed, section);
  return section;
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
  return whole ? fmt::format("{:.1f} %", 100.0 * static_cast<double>(part) / static_cast<double>(whole)) : "0 %";
}

Section overview(const Snapshot& s) {
  const GuardedHeap& g = *s.guarded_heap;
  Section section{"Guarded heap", {}};
  section.rows.push_back({{"mode", std::string(to_name(g.mode))}});
  section.rows.push_back({{"guarded", fmt::format("{} of {}, {} of the bytes", count_text(g.guarded_allocations), counted(g.allocations, "allocation"),
                                                  percent_text(g.guarded_bytes, g.allocated_bytes))}});
  if (g.stop) section.rows.push_back({{"found", std::string(to_name(*g.stop))}});
  if (g.stop_event) add_event(s, "in the call", *g.stop_event, section);
  return section;
}

}  // namespace

std::string made_text(const Snapshot& s, std::size_t array) {
  if (!s.guarded_heap) return {};
  const auto& blocks = s.guarded_heap->blocks;
  const auto block = std::ranges::find_if(blocks, [&](const HeapRecord& b) { return b.array == array; });
  const auto place = block == blocks.end() ? std::string() : place_text(s, block->allocated);
  return place.empty() ? std::string() : ", made" + place;
}

std::vector<Row> heap_rows(const Snapshot& s, const std::vector<const Finding*>& told) {
  std::vector<Row> rows;
  if (!s.guarded_heap) return rows;
  auto blocks = blocks_told(s, told);
  if (blocks.size() > most_blocks) blocks.resize(most_blocks);
  for (const auto i : blocks) {
    const HeapRecord& b = s.guarded_heap->blocks[i];
    if (!b.array) rows.push_back({{"block", fmt::format("{}, {}{}", counted(b.bytes, "byte"), b.allocated.call, place_text(s, b.allocated))}});
    if (b.freed) rows.push_back({{"freed", freed_text(s, *b.freed)}});
  }
  return rows;
}

Section native_section(const Snapshot& s) {
  Section section{"Native memory in use, by the call that allocated it", {}};
  if (!s.guarded_heap) return section;
  for (const auto& site : s.guarded_heap->sites) {
    const auto place = heap_place_text(s, site.allocated);
    const auto all = site.share_recorded > 0 ? static_cast<std::uint64_t>(static_cast<double>(site.live_bytes) / site.share_recorded) : site.live_bytes;
    section.rows.push_back({{size_text(all), fmt::format("{}; {} recorded", place.empty() ? "from where is not known" : place, counted(site.live_blocks, "block"))}});
  }
  return section;
}

std::vector<Section> heap_details(const Snapshot& s) {
  if (!s.guarded_heap) return {};
  std::vector<Section> sections{overview(s)};
  for (const auto& block : s.guarded_heap->blocks) sections.push_back(block_section(s, block));
  sections.push_back(native_section(s));
  return sections;
}

}  // namespace sigwhy::report
