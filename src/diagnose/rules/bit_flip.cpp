// Memory that changed by itself. The kernel says so only where the machine checks its memory (BUS_MCEERR); else a
// pointer that is one impossible bit away from a good one is all there is to see, and software does that too.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> by_machine(const Facts& f) {
  if (f.signal != SIGBUS || f.raised != Raised::by_instruction || (f.code != BUS_MCEERR_AR && f.code != BUS_MCEERR_AO))
    return std::nullopt;
  Finding out = finding(Cause::bit_flip, Strength::strong,
                        fmt::format("the machine's memory failed under {}: the hardware reported it", subject(f)));
  out.evidence_for.push_back(fact("machine-check",
                                  "the kernel sent SIGBUS for a memory error that the hardware could not correct",
                                  {signal_ref(f)}));
  out.rival = "a memory error injected for a test";
  out.fix.push_back("Test or replace this machine's memory; start the run again on another machine.");
  out.whose = Whose::machine;
  out.retryable = Retryable::yes;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = by_machine(f)) return found;
  if (!f.memory || f.inside_heap || f.code != si_kernel) return std::nullopt;
  const auto shapes = shapes_of(f, suspect_value(*f.memory));
  const auto* flip = shape_in(shapes, Shape::one_bit_off);
  if (!flip) return std::nullopt;
  Finding out = finding(Cause::bit_flip, Strength::weak,
                        fmt::format("a pointer of {} may have lost or gained one bit", subject(f)));
  out.explains = Cause::wild_pointer;
  out.evidence_for.push_back(fact("value", "the pointer is " + flip->words, flip->evidence));
  out.rival = "a tag that the program keeps in a pointer's upper bits";
  out.fix.push_back("If it never happens twice at the same place, test this machine's memory.");
  out.whose = Whose::machine;
  out.retryable = Retryable::unknown;
  out.prediction = "on another machine it does not happen again";
  return out;
}

}  // namespace

extern const Rule bit_flip{.title = "bit flip", .check = check};

}  // namespace sigwhy::diagnose::rules
