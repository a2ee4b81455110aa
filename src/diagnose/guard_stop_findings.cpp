// What the guard found by itself: at a call of free, or in the check at the program's end. The call and the block are
// certain; who had written beside a block before is not known.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/guard_findings.h"
#include "diagnose/guard_words.h"
#include "diagnose/phrases.h"
#include "evidence/heap_words.h"

namespace sigwhy::diagnose {

namespace {

constexpr EvidenceRef stop_ref() { return {"/guarded_heap/stop"}; }

const GuardedHeap* with_stop(const Facts& f) {
  const auto& heap = f.snapshot.guarded_heap;
  return heap && heap->stop ? &*heap : nullptr;
}

std::optional<std::size_t> stop_block(const GuardedHeap& heap) {
  return heap.stop_block && *heap.stop_block < heap.blocks.size() ? std::optional<std::size_t>(*heap.stop_block) : std::nullopt;
}

// It went on after that, and then ended in a way of its own.
bool ended_otherwise(const Facts& f, const GuardedHeap& heap) {
  return !heap.stopped && f.signal != 0 && f.signal != SIGSEGV && f.signal != SIGABRT && f.signal != SIGBUS && f.signal != SIGILL;
}

Strength strength_of(const Facts& f, const GuardedHeap& heap) {
  return heap.stopped || f.signal == 0 ? Strength::proven : Strength::strong;
}

// Who called free: the dying thread where the guard stopped it, else what was noted then.
std::string caller_text(const Facts& f, const GuardedHeap& heap) {
  if (heap.stopped && f.culprit) return frame_text(f, *f.culprit);
  const auto place = heap.stop_event ? heap_place_text(f.snapshot, *heap.stop_event) : std::string();
  return place.empty() ? program_text(f) : place;
}

Fact call_fact(const Facts& f, const GuardedHeap& heap) {
  if (heap.stopped && f.culprit) return frame_fact(f, *f.culprit, fmt::format("the call came from {}", frame_text(f, *f.culprit)));
  return fact("call", fmt::format("the call came from {}", caller_text(f, heap)), {ref("/guarded_heap/stop_event")});
}

void add_first_free(const Facts& f, std::size_t block, Finding& out) {
  if (block_at(f, block).freed) out.evidence_for.push_back(freed_fact(f, block));
}

std::string misfit_text(const Facts& f, std::size_t block) {
  const auto& made = block_at(f, block).allocated.call;
  const auto ended = f.snapshot.guarded_heap->stop_event ? f.snapshot.guarded_heap->stop_event->call : std::string();
  return ended.empty() ? fmt::format("in a way that does not fit {}, which made it", made)
                       : fmt::format("by {}, although {} made it", ended, made);
}

std::string what_was_freed(const Facts& f, const GuardedHeap& heap, std::optional<std::size_t> block) {
  switch (*heap.stop) {
    case GuardStop::double_free:
      return block ? fmt::format("{} that was freed before{}", block_text(f, *block),
                                 block_at(f, *block).freed ? by_text(f, *block_at(f, *block).freed) : "")
                   : "a block that was freed before";
    case GuardStop::mismatched_free: return block ? block_text(f, *block) + " " + misfit_text(f, *block) : "a block that another kind of call made";
    default: break;
  }
  if (!block || !heap.stop_address) return "a pointer that no call of the allocator returned";
  const HeapRecord& b = block_at(f, *block);
  const auto offset = *heap.stop_address - b.start;
  if (offset > 0) return fmt::format("a pointer {} bytes behind the start of {}", count_text(static_cast<std::uint64_t>(offset)), block_text(f, *block));
  return fmt::format("a pointer {} bytes before the start of {}", count_text(static_cast<std::uint64_t>(-offset)), block_text(f, *block));
}

std::string damage_text(const Facts& f, std::size_t block) {
  const HeapDamage& d = *block_at(f, block).damage;
  const auto bytes = fmt::format("{} byte{}", count_text(d.bytes), d.bytes == 1 ? "" : "s");
  if (d.offset < 0) return fmt::format("{} before the start of {} {} overwritten", bytes, block_text(f, block), d.bytes == 1 ? "was" : "were");
  const auto behind = static_cast<std::uint64_t>(d.offset) - std::min<std::uint64_t>(static_cast<std::uint64_t>(d.offset), block_at(f, block).bytes);
  const auto how_far = behind == 0 ? std::string("right behind the end") : fmt::format("{} bytes behind the end", count_text(behind));
  return fmt::format("{} {} of {} {} overwritten", bytes, how_far, block_text(f, block), d.bytes == 1 ? "was" : "were");
}

}  // namespace

std::optional<Finding> guarded_invalid_free(const Facts& f) {
  const GuardedHeap* heap = with_stop(f);
  if (!heap || *heap->stop == GuardStop::damaged_block || ended_otherwise(f, *heap)) return std::nullopt;
  const auto block = stop_block(*heap);
  Finding out = finding(Cause::invalid_free, strength_of(f, *heap),
                        fmt::format("{} freed {}", caller_text(f, *heap), what_was_freed(f, *heap, block)));
  if (block) out.evidence_for.push_back(block_fact(f, *block));
  else out.evidence_for.push_back(fact(std::string(guard_fact), "the pointer lies in the guarded heap's own memory, where no block starts", {stop_ref()}));
  if (block) add_first_free(f, *block, out);
  out.evidence_for.push_back(call_fact(f, *heap));
  if (out.strength != Strength::proven) out.rival = "this death has another cause; the free came before it";
  switch (*heap->stop) {
    case GuardStop::double_free: out.fix.push_back("Let one owner free the block, and set the pointer to null when it is freed."); break;
    case GuardStop::mismatched_free:
      out.fix.push_back("Give a block back as it was made: malloc with free, new with delete, new[] with delete[].");
      break;
    default: out.fix.push_back("Free only what malloc (or new) returned, at exactly that address."); break;
  }
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap the same call is refused again";
  return out;
}

std::optional<Finding> guarded_heap_corruption(const Facts& f) {
  const GuardedHeap* heap = with_stop(f);
  if (!heap || *heap->stop != GuardStop::damaged_block || ended_otherwise(f, *heap)) return std::nullopt;
  const auto block = stop_block(*heap);
  if (!block || !block_at(f, *block).damage) return std::nullopt;
  const HeapDamage& damage = *block_at(f, *block).damage;
  const bool at_end = !heap->stopped && !heap->stop_address;
  Finding out = finding(Cause::heap_corruption, strength_of(f, *heap),
                        fmt::format("{}; found when {}", damage_text(f, *block), at_end ? "the program ended" : "it was freed"));
  out.evidence_for.push_back(block_fact(f, *block));
  out.evidence_for.push_back(fact("damage", fmt::format("where the guarded heap had put its own bytes there stood {}", damage.found_at),
                                  {{block_ref(*block).path + "/damage"}}));
  if (!at_end) out.evidence_for.push_back(call_fact(f, *heap));
  out.evidence_against.push_back(fact("writer", "who wrote there was not seen: the block is certain, the writer is not",
                                      {{block_ref(*block).path + "/damage"}}));
  if (out.strength != Strength::proven) out.rival = "this death has another cause; the damage came before it";
  const auto place = heap_place_text(f.snapshot, block_at(f, *block).allocated);
  out.fix.push_back(fmt::format("Look at what writes into {}{}: it wrote at least {} byte{} too many.",
                                block_at(f, *block).array ? block_text(f, *block) : "the block", place.empty() ? "" : " from " + place,
                                count_text(damage.bytes), damage.bytes == 1 ? "" : "s"));
  out.whose = Whose::unknown;
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap the same block is found damaged again";
  return out;
}

}  // namespace sigwhy::diagnose
