// Reading or writing behind (or before) what is there. Without a guarded heap nobody knows where the object ended;
// what can be seen is that a sound pointer was led out of its region. So this is strong at best: the pointer may
// have been the wrong one. The exception is the C library's own check of a size that the compiler knew.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/array_phrases.h"
#include "diagnose/bounds.h"
#include "diagnose/guard_findings.h"
#include "diagnose/named_index.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string block_text(const Facts& f, const MemoryFault& m, std::size_t region) {
  if (m.base && m.base->place.pointer) {
    const auto& block = f.snapshot.pointers[*m.base->place.pointer].block;
    if (block && block->bytes && block->state == BlockState::in_use)
      return fmt::format("a block of {}", bytes_text(block->bytes));
  }
  return region_text(f, region);
}

// What the index counts in: an array, where one begins or lies there.
std::string counted_text(const Facts& f, std::size_t region) {
  const auto from = f.snapshot.fault->index->from.value;
  for (const auto& array : f.arrays)
    if (array.elements && array.elements->holds(from)) return array.name;
  return region_text(f, region);
}

const std::string& index_array(const Facts& f) { return f.arrays[f.snapshot.fault->index->array].name; }

std::string words(const Facts& f, const LeftBounds& left) {
  const auto& m = *f.memory;
  const auto who = subject(f) + " " + did(m);
  switch (left.by) {
    case LeftBy::index:
      if (m.index)
        return fmt::format("{} at index {} (times {}) from a pointer into {}, outside it", who,
                           signed_text(static_cast<std::int64_t>(m.index->value)), m.operand->scale,
                           block_text(f, m, left.region));
      return fmt::format("{} at a computed index from a pointer into {}, outside it", who,
                         block_text(f, m, left.region));
    case LeftBy::counted:
      return fmt::format("{} at index {}, which {} from {}: outside {}", who, signed_text(f.snapshot.fault->index->number),
                         left.strength == Strength::strong ? "is" : "may be", index_array(f), counted_text(f, left.region));
    case LeftBy::named: {
      const auto named = *named_index(f);
      return fmt::format("{} at index {} (`{}`) of `{}`, outside {}", who, signed_text(named.number), named.index, named.array,
                         region_text(f, left.region));
    }
    case LeftBy::summed:
    case LeftBy::sum:
      return fmt::format("{} {} bytes from a pointer into {}, outside it", who, signed_text(left.step_bytes),
                         region_text(f, left.region));
    case LeftBy::length:
      return fmt::format("{} with a length of {} bytes, which is no length", subject(f),
                         signed_text(static_cast<std::int64_t>(impossible_length(f)->value)));
    case LeftBy::extreme:
      return fmt::format("{} at index {}, it seems: what inf, NaN or a too large float becomes as an integer", who,
                         signed_text(INT32_MIN));
    case LeftBy::distance:
      return fmt::format("{} {} {} of {}; the index may be far out of bounds", who, bytes_text(left.bytes),
                         left.before ? "before the start" : "behind the end", region_text(f, left.region));
    case LeftBy::block_size:
      return fmt::format("{} through the number {}, which may be the size that malloc keeps between blocks: read outside of one", who,
                         count_text(m.base->value));
    case LeftBy::reserve: return fmt::format("{} in the unused reserve behind {}", who, region_text(f, left.region));
    default: break;
  }
  const auto side = left.before ? "before the start" : "behind the end";
  if (left.bytes == 0) return fmt::format("{} right {} of {}", who, side, region_text(f, left.region));
  return fmt::format("{} {} {} of {}", who, bytes_text(left.bytes), side, region_text(f, left.region));
}

// What the index or the sum was made of, where that is known.
void add_parts(const Facts& f, const LeftBounds& left, Finding& out) {
  if (left.by == LeftBy::counted) {
    const auto& index = *f.snapshot.fault->index;
    out.evidence_for.push_back(fact("index",
                                    fmt::format("{} of {} is {}: times {}, it leads from {} {}",
                                                index.element == 0 ? "the first element" : fmt::format("element {}", index.element),
                                                index_array(f), signed_text(index.number), bytes_text(index.bytes_each),
                                                index.rows_of ? "the start of " + f.arrays[*index.rows_of].name
                                                : index.base  ? "the pointer in " + *index.base
                                                              : "memory of the program's",
                                                index.rows_of ? "to what was touched" : "exactly to the address"),
                                    {ref("/fault/index"), array_ref(index.array)}));
  }
  if (left.by == LeftBy::named) {
    const auto named = *named_index(f);
    out.evidence_for.push_back(fact("index",
                                    fmt::format("`{}` times {} leads from where `{}` begins exactly to the address", named.index,
                                                bytes_text(named.bytes_each), named.array),
                                    named.evidence));
  }
  if (left.by == LeftBy::summed)
    out.evidence_for.push_back(fact("sum",
                                    fmt::format("the instruction before added an index to {}, which points into {}", left.base_name,
                                                region_text(f, left.region)),
                                    {ref("/fault/summed"), register_ref(f, left.base_name)}));
  if (left.by == LeftBy::sum)
    out.evidence_for.push_back(fact("sum",
                                    fmt::format("{} points into {}, and {} holds exactly the distance from there{}", left.base_name,
                                                region_text(f, left.region), left.step_name,
                                                left.from_one ? ", counted from one as in Fortran" : ""),
                                    {register_ref(f, left.base_name), register_ref(f, left.step_name)}));
}

void add_evidence(const Facts& f, const LeftBounds& left, Finding& out) {
  const auto& m = *f.memory;
  out.evidence_for.push_back(access_fact(f));
  if (left.by == LeftBy::length) {
    out.evidence_for.push_back(fact("length", "the length register holds more than any process has memory",
                                    {register_ref(f, impossible_length(f)->name)}));
    return;
  }
  if (left.by == LeftBy::block_size) {
    out.evidence_for.push_back(fact("number", "malloc's sizes are multiples of 16 with the lowest bit set, as this number is", {operand_ref(m)}));
    return;
  }
  add_parts(f, left, out);
  if (m.base && m.base->place.region)
    out.evidence_for.push_back(
        fact("base", fmt::format("{} points into {}", m.base->name, block_text(f, m, *m.base->place.region)),
             {operand_ref(m), place_ref(m.base->place)}));
  if (m.index && m.index_bytes != 0)
    out.evidence_for.push_back(
        fact("index",
             fmt::format("{} is {}: {} bytes further", m.index->name,
                         signed_text(static_cast<std::int64_t>(m.index->value)), signed_text(m.index_bytes)),
             {operand_ref(m)}));
  if (left.by == LeftBy::extreme)
    out.evidence_for.push_back(fact("index",
                                    fmt::format("the smallest 32-bit integer, times {} or twice that, leads from {} exactly to the address",
                                                bytes_text(left.element_bytes), region_text(f, left.region)),
                                    {ref("/fault/address"), region_ref(left.region)}));
  if (left.by == LeftBy::distance)
    out.evidence_for.push_back(fact("sum", "no number, text or half of a pointer looks like this address: it was added up",
                                    {ref("/fault/address")}));
  const auto distance = left.bytes == 0 ? std::string("0 bytes") : bytes_text(left.bytes);
  out.evidence_for.push_back(
      fact("distance",
           fmt::format("the address lies {} {} {}", distance, left.before ? "before the start of" : "behind the end of",
                       region_text(f, left.region)),
           {ref("/fault/address"), region_ref(left.region)}));
}

std::string rival_of(const Facts& f, const ArrayAccess& at) {
  if (!at.rivals.empty())
    return fmt::format("{}, which the same memory may have been walked from", f.arrays[at.rivals.front()].name);
  if (at.promised) return "another pointer of the same call that leads there by chance";
  if (at.tie == Tie::argument) return "a walk that began elsewhere, at a pointer no longer in a register";
  return at.tie == Tie::line ? "a walk over memory of the library's own that lies behind it" : "a wrong base pointer";
}

// The array is known, and with it where it ends.
std::optional<Finding> by_array(const Facts& f) {
  if (!f.array_access || (f.signal != SIGSEGV && f.code != si_kernel)) return std::nullopt;
  const ArrayAccess& at = *f.array_access;
  if (at.tie == Tie::element && !at.promised) return std::nullopt;
  const bool proven = at.certain;
  Finding out = finding(Cause::out_of_bounds, proven ? Strength::proven : Strength::strong,
                        fmt::format("{} {}", subject(f), array_access_text(f)));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(access_fact(f));
  if (!proven) out.rival = rival_of(f, at);
  const auto& name = f.arrays[at.array].name;
  const auto who = culprit_text(f);
  if (at.promised)
    out.fix.push_back(
        fmt::format("Make {} with a shape and strides that stay inside its memory (sliding_window_view "
                    "checks this; as_strided does not).",
                    name));
  else
    out.fix.push_back(fmt::format("Check the index or the count that {} is given against the {} elements of {}.", who,
                                  count_text(element_count(f.snapshot.arrays[at.array])), name));
  out.whose = at.promised ? Whose::your_code : responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap the first access outside the array is caught";
  return out;
}

// An array that was made for a pointer, with a count that the memory behind it does not have.
std::optional<Finding> by_cut_array(const Facts& f) {
  if (!f.array_access || !f.array_access->cut || f.signal != SIGSEGV) return std::nullopt;
  const auto index = f.array_access->array;
  const Array& a = f.snapshot.arrays[index];
  const auto place = place_of(f.snapshot, *a.data);
  if (!place.region) return std::nullopt;
  const auto& name = f.arrays[index].name;
  const auto mapped = f.snapshot.regions[*place.region].end.value - a.data->value;
  Finding out = finding(Cause::out_of_bounds, Strength::strong,
                        fmt::format("{} {}: {} claims {}, and {} are mapped from its start on", subject(f), array_access_text(f), name,
                                    bytes_text(a.bytes), bytes_text(mapped)));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(fact("end", fmt::format("{} begins in {}, which ends before that element", name, region_text(f, *place.region)),
                                  {array_ref(index), region_ref(*place.region)}));
  out.evidence_for.push_back(access_fact(f));
  out.rival = "a part of its memory that was given back";
  out.fix.push_back(fmt::format("Make {} with no more elements than the memory has that it is made for.", name));
  out.whose = Whose::your_code;
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> by_access(const Facts& f) {
  const auto left = left_bounds(f);
  if (!left) return std::nullopt;
  Finding out = finding(Cause::out_of_bounds, left->strength, words(f, *left));
  add_evidence(f, *left, out);
  out.rival = left->by == LeftBy::end || left->by == LeftBy::first_page
                  ? "a wrong base pointer, or memory behind it that was given back just before"
                  : "a wrong base pointer";
  const auto who = culprit_text(f);
  if (left->by == LeftBy::block_size) {
    out.rival = "a number of the program's own that is used as a pointer";
    out.fix.push_back(fmt::format("Check the index with which {}, or its caller, reads the pointer it uses there.", who));
  }
  else if (left->by == LeftBy::extreme) {
    out.rival = "a wrong base pointer, or a pointer that lost one bit";
    out.fix.push_back(fmt::format("Check what {} makes its index from: inf, NaN and too large floats have to be refused before.", who));
  }
  else if (left->by == LeftBy::length)
    out.fix.push_back(fmt::format("Check the size that {} computes: it came out negative.", who));
  else if (left->by == LeftBy::counted)
    out.fix.push_back(fmt::format("Check the numbers in {} against the size of what {} looks up with them.", index_array(f), who));
  else if (left->by == LeftBy::named)
    out.fix.push_back(fmt::format("Check `{0}` against the number of elements that `{1}` has.", named_index(f)->index, named_index(f)->array));
  else if (left->by == LeftBy::index || left->by == LeftBy::sum || left->by == LeftBy::summed || left->by == LeftBy::distance)
    out.fix.push_back(fmt::format("Check the index that {} uses against the number of elements.", who));
  else out.fix.push_back(fmt::format("Check how many elements {} walks over against how many there are.", who));
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap the first access outside the object is caught, with the object's name";
  return out;
}

// glibc's fortified functions compare with a size that the compiler knew: the overflow was about to happen.
std::optional<Finding> by_fortify(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text =
      text_with(f, TextKind::abort_message, {"*** buffer overflow detected ***", "bit out of range 0 - FD_SETSIZE"});
  if (!text) return std::nullopt;
  const auto who = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  Finding out = finding(Cause::out_of_bounds, Strength::proven,
                        fmt::format("{} was about to write behind the end of a buffer; the C library stopped it", who));
  out.evidence_for.push_back(fact(
      "text", fmt::format("glibc's check says: {}", one_line(f.snapshot.texts[*text].text, 80)), {text_ref(*text)}));
  if (f.culprit)
    out.evidence_for.push_back(
        frame_fact(f, *f.culprit, fmt::format("the call came from {}", frame_text(f, *f.culprit))));
  out.fix.push_back("Make the buffer as large as what is written into it, or pass the buffer's real size.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = guarded_out_of_bounds(f)) return found;
  if (auto found = by_fortify(f)) return found;
  if (auto found = by_array(f)) return found;
  if (auto found = by_cut_array(f)) return found;
  return by_access(f);
}

}  // namespace

extern const Rule out_of_bounds{.title = "out of bounds", .check = check};

}  // namespace sigwhy::diagnose::rules
