// The pointer points nowhere and nothing better is known. Where its bits look like something (text, floats, half a
// pointer, a failed call's -1) that is said. An address that is merely unmapped, in the neighbourhood of memory in
// use, may as well be a lost index or a block given back: then this is weak and no verdict. So it is further off where
// only a sum leads to.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_phrases.h"
#include "diagnose/bounds.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::uint64_t far_bytes = 64ull << 30;

bool is_null_object(const MemoryFault& m) {
  return near_null(m.address.value) && suspect_value(m) != ~0ull && !is_small_number(m);
}

bool far_from_all(const Place& p) {
  return !p.region && (!p.lower || p.behind_bytes > far_bytes) && (!p.upper || p.before_bytes > far_bytes);
}

bool points_nowhere(const Facts& f, const MemoryFault& m) {
  const Region* at = region_at(f, m.place);
  return !at || is_closed(*at);
}

std::string where(const Facts& f, const MemoryFault& m) {
  if (!m.address.canonical()) return "an address that cannot exist";
  if (m.place.region) return "memory that may not be touched";
  if (far_from_all(m.place) || f.snapshot.regions.empty()) return "an address that is mapped nowhere and near nothing";
  return "an address that is mapped nowhere";
}

std::string verb(const MemoryFault& m) { return m.access == Access::write ? " to " : " at "; }

std::optional<Finding> check(const Facts& f) {
  if (!f.memory || f.stack_end || (f.signal != SIGSEGV && f.code != si_kernel)) return std::nullopt;
  const MemoryFault& m = *f.memory;
  if (is_null_object(m) || !points_nowhere(f, m) || (m.base && m.base->place.region)) return std::nullopt;
  const auto shapes = m.place.region ? std::vector<ValueShape>{} : shapes_of(f, suspect_value(m));
  const bool impossible = !m.address.canonical(), number = is_small_number(m);
  const bool made_up = far_from_all(m.place) && !left_bounds(f);
  const auto strength = !shapes.empty() || impossible || made_up || number ? Strength::plausible : Strength::weak;
  std::string words = fmt::format("{} {}{}{}", subject(f), did(m), verb(m), where(f, m));
  if (number) words += fmt::format("; the pointer is the number {}", m.base->value);
  else if (!shapes.empty()) words += "; the pointer may be " + shapes.front().words;
  Finding out = finding(Cause::wild_pointer, strength, words);
  out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(
      fact("map", fmt::format("it is {}", where(f, m)), {ref("/fault/address"), place_ref(m.place)}));
  for (auto& fact : named_pointer_facts(f)) out.evidence_for.push_back(std::move(fact));
  for (const auto& shape : shapes)
    out.evidence_for.push_back(fact("value", "the pointer is " + shape.words, shape.evidence));
  if (number)
    out.evidence_for.push_back(fact("number", fmt::format("{} holds {}, where no {} bytes of an object at null would begin", m.base->name,
                                                          m.base->value, m.width_bytes.value_or(1)),
                                    {operand_ref(m)}));
  out.rival = number       ? "a null pointer to a packed object"
              : impossible ? "an index far out of bounds, added before this instruction"
                           : "an index out of bounds, or memory that was given back";
  if (shape_in(shapes, Shape::cut_pointer))
    out.fix.push_back(
        "Somewhere the pointer went through a 32-bit integer: declare the function's types (in ctypes: restype and "
        "argtypes).");
  if (shape_in(shapes, Shape::failure_value))
    out.fix.push_back("Test the result of the call that made the pointer: -1 (MAP_FAILED) means it failed.");
  if (number)
    out.fix.push_back(fmt::format("Find out which object {} was given: a number was read from where it expects a pointer. Is it of the "
                                  "type, and of the version of the headers, that {} was compiled for?",
                                  culprit_text(f), culprit_text(f)));
  else out.fix.push_back(fmt::format("Find out where {} has the pointer from.", culprit_text(f)));
  out.whose = responsible(f);
  out.retryable = Retryable::unknown;
  out.prediction = "on the guarded heap a stale or overrun pointer is caught earlier; a made-up one dies here again";
  return out;
}

}  // namespace

extern const Rule wild_pointer{.title = "wild pointer", .check = check};

}  // namespace sigwhy::diagnose::rules
