// The CPU raises one and the same fault for a divisor of zero and for a quotient that does not fit (INT_MIN / -1),
// and the kernel calls both FPE_INTDIV. Only the divisor tells them apart.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

void finish(const Facts& f, Finding& out) {
  if (f.culprit)
    out.evidence_for.push_back(frame_fact(f, *f.culprit, fmt::format("it happened in {}", frame_text(f, *f.culprit))));
  const bool framework = f.culprit && f.frames[*f.culprit].family == Family::framework;
  if (framework)
    out.fix.push_back(
        "Check what is passed to this operation: a stride, a group count, a dimension or an element of 0 is divided by.");
  out.fix.push_back(fmt::format("Test the divisor before {} divides.", culprit_text(f)));
  out.whose = responsible(f);
  out.retryable = Retryable::no;
}

std::optional<Finding> by_integer(const Facts& f) {
  const auto* division = f.instruction && f.instruction->division ? &*f.instruction->division : nullptr;
  if (f.instruction && !division) return std::nullopt;  // no division at all
  if (division && division->divisor && *division->divisor != 0) return std::nullopt;
  const bool certain = division && division->divisor;
  Finding out = finding(Cause::division_by_zero, certain ? Strength::proven : Strength::strong,
                        fmt::format("{} divided an integer by zero", subject(f)));
  if (division)
    out.evidence_for.push_back(fact("division",
                                    fmt::format("`{}` divides by {}", one_line(f.instruction->text, 60),
                                                certain ? "a value that is 0" : "a value that could not be read"),
                                    {ref("/fault/instruction/division")}));
  out.evidence_for.push_back(fact("signal", "the CPU refused an integer division", {signal_ref(f)}));
  if (!certain) out.rival = "a quotient that does not fit (the smallest integer divided by -1)";
  finish(f, out);
  return out;
}

// Floating point only traps where the program has asked for it (feenableexcept).
Finding by_float(const Facts& f) {
  Finding out =
      finding(Cause::division_by_zero, Strength::proven,
              fmt::format("{} divided a floating-point number by zero, and the program asked to be stopped for that",
                          subject(f)));
  out.evidence_for.push_back(fact("signal", "the kernel says: floating-point division by zero", {signal_ref(f)}));
  finish(f, out);
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal != SIGFPE || f.raised != Raised::by_instruction || f.jump) return std::nullopt;
  if (f.code == FPE_FLTDIV) return by_float(f);
  if (f.code == FPE_INTDIV) return by_integer(f);
  return std::nullopt;
}

}  // namespace

extern const Rule division_by_zero{.title = "division by zero", .check = check};

}  // namespace sigwhy::diagnose::rules
