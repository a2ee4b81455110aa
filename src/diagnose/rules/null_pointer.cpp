// A null pointer is not always address 0: a member lies a little above it, an element may lie far above or, with a
// negative index, below it (0xffffffee80000000 is null plus 40 times a negative index). The base register tells.
// Against that, SI_KERNEL reports address 0 for accesses that had nothing to do with 0; facts leave those out.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_phrases.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"
#include "evidence/array_words.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::int64_t likely_object_bytes = 1 << 20;

// -1 is a failed call's result, and odd negative numbers are error codes more often than members below null.
bool is_null_plus(std::uint64_t value) {
  if (!near_null(value) || value == ~0ull) return false;
  return static_cast<std::int64_t>(value) > 0 || value % 4 == 0;
}

// A string function begins at the 16, 32 or 64 bytes around what it is given: -1, a failed call's result.
bool is_rounded_minus_one(const Facts& f, std::uint64_t value) {
  const bool rounded = value == ~15ull || value == ~31ull || value == ~63ull;
  if (!rounded || f.frames.empty() || f.frames[0].family != Family::libc) return false;
  return std::ranges::any_of(f.dying->registers, [](const auto& r) { return r.second.value == ~0ull; });
}

std::optional<Strength> by_zero_base(const Facts& f, const MemoryFault& m) {
  const auto displacement = m.operand->displacement;
  const bool likely = displacement > -likely_object_bytes && displacement < likely_object_bytes;
  if (m.index_bytes == 0) return likely ? Strength::proven : Strength::strong;
  if (m.operand->scale > 1 || near_null(m.index->value)) return Strength::strong;
  // With scale 1 the other register may be the pointer, gone wrong itself.
  return shapes_of(f, m.index->value).empty() ? Strength::strong : Strength::plausible;
}

std::optional<Strength> strength_of(const Facts& f, const MemoryFault& m) {
  if (m.base && m.base->value == 0) return by_zero_base(f, m);
  if (!near_null(m.address.value)) return std::nullopt;
  const bool constant = m.operand && !m.operand->base && !m.operand->index && !m.operand->segment;
  if (constant) return Strength::proven;
  if (!m.base) return Strength::strong;
  if (m.base->place.region) return Strength::strong;  // a difference of two pointers, one of them null
  if (!is_null_plus(m.base->value) || is_small_number(m) || is_rounded_minus_one(f, m.base->value)) return std::nullopt;
  return m.base->value < page_bytes || m.base->value > ~page_bytes ? Strength::strong : Strength::plausible;
}

// Inside the interpreter a null is what some earlier mistake left, unless somebody has just handed it in.
std::optional<std::size_t> giver(const Facts& f) {
  const auto caller = caller_of_family(f, Family::python);
  const auto callback = first_with(f, Role::callback);
  return callback && caller && *callback <= *caller ? std::nullopt : caller;
}
bool inside_python(const Facts& f) { return !f.frames.empty() && f.frames[0].family == Family::python; }

// " (offset 0x18)"; nothing to add where it is the pointer itself.
std::string where(const MemoryFault& m) {
  if (m.index && m.index_bytes != 0 && m.base && m.base->value == 0 && m.operand->scale > 1)
    return fmt::format(" (element {} of {} each)", signed_text(static_cast<std::int64_t>(m.index->value)),
                       bytes_text(m.operand->scale));
  if (m.address.value == 0) return {};
  return fmt::format(" (offset {})", offset_text(static_cast<std::int64_t>(m.address.value)));
}

// The table of virtual functions is set by the constructor: a null there is what some earlier write left.
bool through_table(const Facts& f, const MemoryFault& m) {
  return f.instruction && f.instruction->is_call && m.access == Access::read;
}

std::string words(const Facts& f, const MemoryFault& m) {
  const auto by = giver(f);
  if (inside_python(f) && by)
    return fmt::format("{} was given a null pointer by {}{}", function_text(f, 0), frame_text(f, *by), where(m));
  if (through_table(f, m))
    return fmt::format("{} looked up a function to call through a null pointer{}", subject(f), where(m));
  return fmt::format("{} {} through a null pointer{}", subject(f), did(m), where(m));
}

// The arrays at the line that have nothing to point to: where the null may come from. Those whose elements are as wide
// as the access come before others.
std::vector<std::size_t> empty_arrays(const Facts& f) {
  std::vector<std::size_t> all, fitting;
  for (std::size_t i = 0; i < f.arrays.size(); ++i) {
    const Array& a = f.snapshot.arrays[i];
    if (!f.arrays[i].at_line || !(a.points_to == Address{0} || element_count(a) == 0 || a.data == Address{0})) continue;
    all.push_back(i);
    if (f.memory->width_bytes && a.item_bytes == *f.memory->width_bytes) fitting.push_back(i);
  }
  return fitting.empty() ? all : fitting;
}

// Data begins where the pointer points; a member, a lock or a table of functions lies further on.
bool may_be_data(const MemoryFault& m) { return m.operand && m.operand->displacement == 0 && !m.operand->segment; }

Fact empty_fact(const Facts& f, std::size_t index) {
  const Array& a = f.snapshot.arrays[index];
  return fact("array",
              a.points_to == Address{0} ? fmt::format("{} is a null pointer ({})", f.arrays[index].name, a.type)
                                        : fmt::format("{} is {}: it has no {}", f.arrays[index].name, array_text(a),
                                                      element_count(a) == 0 ? "elements" : "data"),
              {array_ref(index)});
}

// A call into Python fails by returning null and leaving the exception behind.
const PyException* pending_exception(const Facts& f) {
  const auto& all = f.snapshot.python_exceptions;
  return all.empty() || all[0].link != ExceptionLink::ended_it ? nullptr : &all[0];
}

std::string exception_words(const PyException& e) {
  return one_line(e.message.empty() ? e.type : fmt::format("{}: {}", e.type, e.message), 100);
}

void add_evidence(const Facts& f, const MemoryFault& m, Finding& out) {
  out.evidence_for.push_back(access_fact(f));
  if (m.base)
    out.evidence_for.push_back(fact(
        "base",
        fmt::format("the pointer was in {}, which holds {}", m.base->name,
                    m.base->place.region ? "a valid address" : signed_text(static_cast<std::int64_t>(m.base->value))),
        {operand_ref(m)}));
  if (m.index_bytes != 0)
    out.evidence_for.push_back(
        fact("index", fmt::format("{} adds {} bytes", m.index->name, signed_text(m.index_bytes)), {operand_ref(m)}));
  if (const auto* pending = pending_exception(f))
    out.evidence_for.push_back(fact("exception", fmt::format("a Python exception was pending, raised and not yet seen: {}", exception_words(*pending)),
                                    {ref("/python_exceptions/0")}));
  for (const auto empty : empty_arrays(f)) out.evidence_for.push_back(empty_fact(f, empty));
  if (const auto limit = soft_limit(f, "address-space"))
    out.evidence_for.push_back(
        fact("address-space-limit",
             fmt::format("the address space is limited to {}: an allocation may have been refused", bytes_text(*limit)),
             {ref(fmt::format("/process/limits/{}", *limit_index(f, "address-space")))}));
}

void add_rival(const Facts& f, const MemoryFault& m, Finding& out) {
  if (inside_python(f)) {
    out.rival = "an object that was freed or overwritten earlier, or a thread that does not hold the GIL";
  } else if (through_table(f, m)) {
    out.rival = "an object that was overwritten or freed: its table of functions is gone";
  } else if (out.strength != Strength::proven) {
    out.rival = m.base && m.base->value == 0
                    ? fmt::format("the pointer is in {} and is itself wrong", m.index ? m.index->name : "memory")
                    : "a small number that was taken for a pointer";
  }
}

void add_fix(const Facts& f, Finding& out) {
  if (const auto* pending = pending_exception(f)) {
    out.fix.push_back(fmt::format("A call into Python had failed just before ({}): test what it returns for NULL before {} uses it.",
                                  exception_words(*pending), culprit_text(f)));
    return;
  }
  const auto empty = empty_arrays(f);
  if (empty.size() == 1 && f.own && element_count(f.snapshot.arrays[empty[0]]) == 0) {
    out.fix.push_back(fmt::format("Let {} test whether there are elements at all, or do not call it with {}, which has none.",
                                  function_text(f, *f.own), f.arrays[empty[0]].name));
    return;
  }
  const bool framework = f.culprit && f.frames[*f.culprit].family == Family::framework;
  if (framework && (!empty.empty() || may_be_data(*f.memory)))
    out.fix.push_back(
        "Check the sizes of what is passed to this operation: the data of an empty tensor or array is a null pointer.");
  if (f.culprit)
    out.fix.push_back(
        fmt::format("Find out why {} was handed a null pointer, and test for it before the access.", culprit_text(f)));
  else out.fix.push_back("Find out why the pointer is null, and test for it before the access.");
}

std::optional<Finding> check(const Facts& f) {
  if (!f.memory || f.memory->place.region || (f.signal != SIGSEGV && f.code != si_kernel)) return std::nullopt;
  // Python's allocator was not handed the null: it read it from lists of its own, which somebody overwrote
  if (!f.frames.empty() && f.frames[0].role == Role::python_heap) return std::nullopt;
  const MemoryFault& m = *f.memory;
  auto strength = strength_of(f, m);
  if (!strength) return std::nullopt;
  if (inside_python(f)) strength = std::min(*strength, giver(f) ? Strength::strong : Strength::plausible);
  // ctypes finds a null where a callback was that is gone
  if (!f.frames.empty() && f.frames[0].role == Role::callback) strength = std::min(*strength, Strength::plausible);
  if (f.inside_heap) strength = std::min(*strength, Strength::plausible);
  if (through_table(f, m)) strength = std::min(*strength, Strength::strong);
  Finding out = finding(Cause::null_pointer, *strength, words(f, m));
  add_evidence(f, m, out);
  add_rival(f, m, out);
  if (f.inside_heap && !out.rival) out.rival = "the allocator's own data was overwritten earlier";
  add_fix(f, out);
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

}  // namespace

extern const Rule null_pointer{.title = "null pointer", .check = check};

}  // namespace sigwhy::diagnose::rules
