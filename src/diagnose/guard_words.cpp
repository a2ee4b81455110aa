#include "diagnose/guard_words.h"

#include <fmt/format.h>

#include "diagnose/array_phrases.h"
#include "diagnose/guard_findings.h"
#include "diagnose/phrases.h"
#include "evidence/array_words.h"
#include "evidence/heap_words.h"

namespace sigwhy::diagnose {

namespace {

const Array* array_of(const Facts& f, const HeapRecord& b) {
  return b.array && *b.array < f.snapshot.arrays.size() ? &f.snapshot.arrays[*b.array] : nullptr;
}

std::string before_text(const Facts& f, const HeapEvent& event) {
  const double seconds = f.snapshot.guarded_heap->at_seconds - event.at_seconds;
  if (seconds < 0) return {};
  if (seconds < 0.001) return ", less than 1 ms before";
  if (seconds < 1) return fmt::format(", {:.0f} ms before", seconds * 1000);
  return seconds < 120 ? fmt::format(", {:.1f} s before", seconds) : fmt::format(", {:.0f} min before", seconds / 60);
}

}  // namespace

const HeapRecord& block_at(const Facts& f, std::size_t block) { return f.snapshot.guarded_heap->blocks[block]; }

EvidenceRef block_ref(std::size_t block) { return {fmt::format("/guarded_heap/blocks/{}", block)}; }

std::string block_text(const Facts& f, std::size_t block) {
  const HeapRecord& b = block_at(f, block);
  if (b.array && *b.array < f.arrays.size()) return f.arrays[*b.array].name;
  return fmt::format("a block of {}", bytes_text(b.bytes));
}

std::string by_text(const Facts& f, const HeapEvent& event) {
  const auto native = native_place_text(f.snapshot, event);
  const auto place = heap_place_text(f.snapshot, event);
  if (place.empty()) return {};
  return native.empty() && !python_place_text(event).empty() ? " at " + place : " by " + place;
}

Fact block_fact(const Facts& f, std::size_t block) {
  const HeapRecord& b = block_at(f, block);
  const Array* array = array_of(f, b);
  auto text = array ? fmt::format("{} is {}, in a block of {}", block_text(f, block), array_text(*array), bytes_text(b.bytes))
                    : fmt::format("the block has {}", bytes_text(b.bytes));
  const auto by = by_text(f, b.allocated);
  if (!by.empty()) text += fmt::format(", allocated{}", by);
  if (!b.allocated.call.empty()) text += fmt::format(" ({})", b.allocated.call);
  std::vector<EvidenceRef> evidence{block_ref(block)};
  if (array) evidence.push_back(array_ref(*b.array));
  return fact(std::string(guard_fact), text, std::move(evidence));
}

Fact freed_fact(const Facts& f, std::size_t block) {
  const HeapEvent& freed = *block_at(f, block).freed;
  auto text = fmt::format("it was freed{}", by_text(f, freed));
  if (freed.tid && f.dying && freed.tid != f.dying->tid) text += fmt::format(", in thread {}", freed.tid);
  return fact("freed", text + before_text(f, freed), {{block_ref(block).path + "/freed"}});
}

}  // namespace sigwhy::diagnose
