// The program was built for a newer CPU than this one. SIGILL alone does not say that: ud2 is a program that stops
// itself, and bytes that are no instruction are a jump into data. The instruction's own feature must be missing here.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return one_line(out, 60);
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal != SIGILL || f.raised != Raised::by_instruction || f.jump || !f.instruction) return std::nullopt;
  const Instruction& i = *f.instruction;
  if (i.deliberate_trap || !i.missing_features || i.missing_features->empty()) return std::nullopt;
  const auto place = place_of(f.snapshot, f.snapshot.fault->pc);
  const Region* at = region_at(f, place);
  const bool in_file = at && at->kind == RegionKind::file;
  const auto missing = list(*i.missing_features);
  Finding out = finding(Cause::unsupported_instruction, in_file ? Strength::proven : Strength::strong,
                        fmt::format("{} used `{}`, which needs {}; this CPU has no {}", subject(f),
                                    one_line(i.mnemonic, 20), missing, missing));
  out.evidence_for.push_back(fact("instruction", fmt::format("`{}` belongs to {}", one_line(i.text, 60), i.extension),
                                  {ref("/fault/instruction")}));
  out.evidence_for.push_back(
      fact("features", fmt::format("the CPU ({}) does not list {}", one_line(f.snapshot.host.cpu, 60), missing),
           {ref("/fault/instruction/missing_features"), ref("/host/cpu_features")}));
  if (!in_file) out.rival = "data or generated code that happens to decode to it";
  out.fix.push_back(
      "Use a build for this CPU (an older or generic wheel, or compile without -march=native), or a machine that has "
      "the feature.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = fmt::format("on a machine with {} it does not die here", missing);
  return out;
}

}  // namespace

extern const Rule unsupported_instruction{.title = "unsupported instruction", .check = check};

}  // namespace sigwhy::diagnose::rules
