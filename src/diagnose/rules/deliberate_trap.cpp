// ud2, int3 and hlt have one purpose in a program's own code: to stop it. Compilers put them where a check failed
// (__builtin_trap, sanitizers in trap mode) or where execution must never come; a breakpoint left in is an int3.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool can_trap(const Facts& f) {
  return f.signal == SIGILL || f.signal == SIGTRAP || (f.signal == SIGSEGV && f.code == si_kernel);
}

constexpr const char* remove_breakpoint =
    "Remove the breakpoint (int3, __debugbreak, raise(SIGTRAP)), or run it under the debugger it was meant for.";

// raise(SIGTRAP): a breakpoint for all processors, which only a debugger survives.
std::optional<Finding> by_raise(const Facts& f) {
  const auto& sender = f.snapshot.termination.sender;
  if (f.signal != SIGTRAP || !sender || sender->relation != SenderRelation::itself) return std::nullopt;
  Finding out = finding(Cause::deliberate_trap, Strength::proven,
                        fmt::format("{} stopped the program on purpose with a SIGTRAP of its own",
                                    f.culprit ? frame_text(f, *f.culprit) : program_text(f)));
  out.evidence_for.push_back(fact("sender", "the process sent the signal to itself", {ref("/termination/sender")}));
  out.fix.push_back(remove_breakpoint);
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> by_instruction(const Facts& f) {
  if (f.raised != Raised::by_instruction || !can_trap(f) || f.jump || !f.instruction || !f.instruction->deliberate_trap)
    return std::nullopt;
  const auto place = place_of(f.snapshot, f.snapshot.fault->pc);
  const Region* at = region_at(f, place);
  const bool in_code = at && at->kind == RegionKind::file;
  const auto text = one_line(f.instruction->mnemonic, 20);
  Finding out = finding(Cause::deliberate_trap, in_code ? Strength::proven : Strength::strong,
                        fmt::format("{} stopped the program on purpose with `{}`",
                                    f.culprit ? frame_text(f, *f.culprit) : program_text(f), text));
  out.evidence_for.push_back(fact("instruction", fmt::format("`{}` is meant to stop the program", text),
                                  {ref("/fault/instruction"), ref("/fault/pc")}));
  if (f.culprit)
    out.evidence_for.push_back(frame_fact(f, *f.culprit, fmt::format("it stands in {}", frame_text(f, *f.culprit))));
  if (!in_code) out.rival = "data that was run as code";
  if (f.signal == SIGTRAP)
    out.fix.push_back(remove_breakpoint);
  else
    out.fix.push_back(fmt::format(
        "Look at the check before this place in {}: it failed, or the code after a \"cannot happen\" was reached.",
        culprit_text(f)));
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  auto raised = by_raise(f);
  return raised ? raised : by_instruction(f);
}

}  // namespace

extern const Rule deliberate_trap{.title = "deliberate trap", .check = check};

}  // namespace sigwhy::diagnose::rules
