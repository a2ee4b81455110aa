#include "diagnose/guard_findings.h"

#include <fmt/format.h>
#include <signal.h>

#include "diagnose/array_phrases.h"
#include "diagnose/array_shape.h"
#include "diagnose/guard_words.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

std::string bytes_in_digits(std::uint64_t bytes) { return fmt::format("{} byte{}", count_text(bytes), bytes == 1 ? "" : "s"); }

// "element 60,000 of `labels`; it has 60,000 elements, the last is 59,999"
std::string beyond_array(const Facts& f, const GuardHit& hit) {
  const auto& array = block_at(f, hit.block).array;
  if (!array || *array >= f.snapshot.arrays.size() || hit.side != GuardSide::behind) return {};
  const Array& a = f.snapshot.arrays[*array];
  if (!a.data || a.item_bytes == 0 || a.shape.size() != 1 || !is_contiguous(a)) return {};
  const auto offset = f.memory->address.value - a.data->value;
  const auto count = element_count(a);
  if (offset % a.item_bytes != 0 || count == 0 || f.memory->width_bytes != a.item_bytes || offset / a.item_bytes < count) return {};
  return fmt::format("element {} of {}; it has {} elements, the last is {}", count_text(offset / a.item_bytes),
                     f.arrays[*array].name, count_text(count), count_text(count - 1));
}

std::string where_text(const Facts& f, const GuardHit& hit) {
  const auto block = block_text(f, hit.block);
  if (hit.side == GuardSide::before)
    return hit.bytes <= f.memory->width_bytes.value_or(1) ? fmt::format("right before the start of {}", block)
                                                          : fmt::format("{} before the start of {}", bytes_in_digits(hit.bytes), block);
  if (hit.bytes == 0) return fmt::format("right behind the end of {}", block);
  return fmt::format("{} behind the end of {}", bytes_in_digits(hit.bytes), block);
}

std::string verb_text(const MemoryFault& m) { return m.writes() ? "wrote" : m.reads() ? "read" : "touched"; }

Fact tie_fact(const Facts& f, const GuardHit& hit) {
  const auto block = block_text(f, hit.block);
  const auto reg = [&] { return std::vector{register_ref(f, hit.by), block_ref(hit.block)}; };
  const bool start = !hit.by.empty() && register_value(f, hit.by) == block_at(f, hit.block).start.value;
  const auto into = start ? "the start of" : "into";
  switch (hit.tie) {
    case GuardTie::base:
      return fact("tie", fmt::format("the instruction's pointer, {}, points {} {}", hit.by, start ? "to the start of" : "into", block), reg());
    case GuardTie::copy:
      return fact("tie", fmt::format("{} points {} {}, and the length that the copy was given leads out of it", hit.by, into, block), reg());
    case GuardTie::pointer: return fact("tie", fmt::format("{} points {} {}", hit.by, start ? "to the start of" : "into", block), reg());
    case GuardTie::contiguous:
      return fact("tie", hit.freed ? fmt::format("the address is the start of {}", block)
                                   : fmt::format("the address is the first beside {} that cannot be touched: where a walk over it ends", block),
                  {ref("/fault/address"), block_ref(hit.block)});
    case GuardTie::variable:
      return fact("tie", fmt::format("a variable of the function holds the start of {}", block), {{block_ref(hit.block).path + "/roles"}});
    case GuardTie::array: return fact("tie", fmt::format("the access is tied to {}", block), {block_ref(hit.block), ref("/fault")});
    default: return fact("tie", fmt::format("the address lies in the pages kept around {}", block), {ref("/fault/address"), block_ref(hit.block)});
  }
}

// The access is certain; that it is the end's cause is not where the program caught the signal and went on.
Strength strength_of(const Facts& f, bool certain) {
  return certain && !f.snapshot.termination.handled_first ? Strength::proven : Strength::strong;
}
constexpr const char* handled_rival = "the program handled that fault and ended for another reason";

bool read_from_freed(const Facts& f) {
  const auto& fill = *f.guard_fill;
  return fill.bytes >= 4 && fill.block && block_at(f, *fill.block).state == BlockState::freed;
}

void add_slack(const Facts& f, const GuardHit& hit, Finding& out) {
  const auto slack = block_at(f, hit.block).slack_bytes;
  if (hit.side != GuardSide::behind || slack == 0) return;
  out.evidence_for.push_back(fact("slack",
                                  fmt::format("its alignment leaves {} behind it that can be touched: it may have left the block a little earlier",
                                              bytes_in_digits(slack)),
                                  {{block_ref(hit.block).path + "/slack_bytes"}}));
}

}  // namespace

std::optional<Finding> guarded_out_of_bounds(const Facts& f) {
  if (!f.guard_hit || f.guard_hit->side == GuardSide::inside || f.guard_hit->freed || f.inside_heap) return std::nullopt;
  const GuardHit& hit = *f.guard_hit;
  if (hit.tie == GuardTie::none && !hit.own_pages) return std::nullopt;
  const auto strength = hit.tie == GuardTie::none ? Strength::plausible : strength_of(f, hit.certain);
  const auto element = beyond_array(f, hit);
  const auto what = !element.empty() ? fmt::format("{} {}", verb_text(*f.memory), element)
                                     : fmt::format("{} {}", did(*f.memory), where_text(f, hit));
  Finding out = finding(Cause::out_of_bounds, strength,
                        strength == Strength::plausible ? fmt::format("{} {}; it may have walked off it", subject(f), what)
                                                        : fmt::format("{} {}", subject(f), what));
  out.evidence_for.push_back(block_fact(f, hit.block));
  out.evidence_for.push_back(tie_fact(f, hit));
  out.evidence_for.push_back(access_fact(f));
  if (f.memory->index && f.memory->index_bytes)
    out.evidence_for.push_back(fact("index", fmt::format("{} is {}", f.memory->index->name, signed_text(static_cast<std::int64_t>(f.memory->index->value))),
                                    {operand_ref(*f.memory)}));
  add_slack(f, hit, out);
  if (strength == Strength::strong && hit.certain) out.rival = handled_rival;
  else if (strength == Strength::strong)
    out.rival = hit.own_pages ? "a walk in large steps, or a pointer, that came there from somewhere else" : "a wrong base pointer";
  if (strength == Strength::plausible) out.rival = "a pointer that never belonged to this block";
  const auto& b = block_at(f, hit.block);
  const bool named = b.array && *b.array < f.snapshot.arrays.size();
  out.fix.push_back(fmt::format("Check the index or the count that {} uses against the {} of {}.", culprit_text(f),
                                named ? count_text(element_count(f.snapshot.arrays[*b.array])) + " elements" : bytes_in_digits(b.bytes),
                                named ? block_text(f, hit.block) : "the block"));
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap it is caught at the same place again";
  return out;
}

std::optional<Finding> guarded_use_after_free(const Facts& f) {
  const bool filled = f.guard_fill && f.guard_fill->freed;
  const bool hit = f.guard_hit && f.guard_hit->freed && f.guard_hit->side == GuardSide::inside && !f.inside_heap;
  if (!hit && !filled) return std::nullopt;
  const auto strength = hit && f.guard_hit->tie == GuardTie::none
                            ? Strength::plausible
                            : strength_of(f, hit ? f.guard_hit->certain : read_from_freed(f));
  Finding out = finding(Cause::use_after_free, strength, "");
  if (hit) {
    const auto block = f.guard_hit->block;
    const auto& freed = block_at(f, block).freed;
    out.claim = one_line(fmt::format("{} {} of {} that {} freed{}", subject(f), did(*f.memory), block_text(f, block),
                                     strength == Strength::plausible ? "may have been" : "was", freed ? by_text(f, *freed) : ""),
                         longest_claim);
    out.evidence_for.push_back(block_fact(f, block));
    if (freed) out.evidence_for.push_back(freed_fact(f, block));
    out.evidence_for.push_back(tie_fact(f, *f.guard_hit));
    out.rival = block_at(f, block).place_reused ? "an older block that lay at the same place"
                                                : "an index far out of bounds of another block";
  } else {
    out.claim = one_line(fmt::format("{} used {} read from memory that was freed", subject(f), f.guard_fill->what), longest_claim);
    out.explains = f.jump ? Cause::bad_jump : f.guard_hit ? Cause::out_of_bounds : Cause::wild_pointer;
    out.evidence_for.push_back(fact(std::string(guard_fact),
                                    fmt::format("{} is {:#x}: the byte that the guarded heap puts into freed memory", f.guard_fill->what, f.guard_fill->value),
                                    {ref("/guarded_heap/freed_fill_byte"), ref("/fault")}));
    out.rival = "the program uses that byte for something of its own";
  }
  if (strength == Strength::proven) out.rival.reset();
  else if (f.snapshot.termination.handled_first) out.rival = handled_rival;
  if (f.memory) out.evidence_for.push_back(access_fact(f));
  out.fix.push_back(keep_the_owner);
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap it is caught at the same place again";
  return out;
}

std::optional<Finding> guarded_uninitialised_read(const Facts& f) {
  if (!f.guard_fill || f.guard_fill->freed) return std::nullopt;
  const GuardFill& fill = *f.guard_fill;
  const auto strength = strength_of(f, fill.bytes >= 4 && fill.block && block_at(f, *fill.block).allocated.call != "calloc");
  Finding out = finding(Cause::uninitialised_read, strength,
                        fill.block ? fmt::format("{} used {}, read from {}, where it was never set", subject(f), fill.what, block_text(f, *fill.block))
                                   : fmt::format("{} used {}, which was never set", subject(f), fill.what));
  out.explains = f.jump ? Cause::bad_jump : f.guard_hit || f.memory->base ? Cause::out_of_bounds : Cause::wild_pointer;
  out.evidence_for.push_back(
      fact(std::string(guard_fact),
           fmt::format("{} is {:#x}: the byte that the guarded heap puts into new memory, {} times", fill.what, fill.value, fill.bytes),
           {ref("/guarded_heap/fill_byte"), fill.reg.empty() ? ref("/fault") : register_ref(f, fill.reg)}));
  if (fill.block) out.evidence_for.push_back(block_fact(f, *fill.block));
  if (f.memory) out.evidence_for.push_back(access_fact(f));
  if (strength != Strength::proven) out.rival = "a number of the program's own that is the same by chance";
  out.fix.push_back("Set every member when the block is made (calloc, a constructor): malloc does not clear memory.");
  out.whose = responsible(f);
  out.retryable = Retryable::unknown;
  out.prediction = "with another fill byte the value changes with it";
  return out;
}

}  // namespace sigwhy::diagnose
