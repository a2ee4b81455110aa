// Intel's and LLVM's OpenMP runtimes are one code base and refuse to live beside another copy of themselves: the one
// that starts second says "OMP: Error #15" and aborts. Where the first exports its names to everybody (RTLD_GLOBAL), the
// second calls the first's internals instead of its own and waits there for a lock that nobody holds, at full speed.
// GNU's runtime beside one of them does neither.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/library_copies.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr const char* family = "openmp";

Finding conflict(const Facts& f, Strength strength, std::string_view claim) {
  Finding out = finding(Cause::openmp_conflict, strength, claim);
  for (const auto& copies : doubled_families(f.snapshot))
    if (copies.family == family)
      for (const auto i : copies.libraries) out.evidence_for.push_back(copy_fact(f.snapshot, i));
  out.fix.push_back(
      "Install the packages from one source, so that they share one OpenMP runtime; KMP_DUPLICATE_LIB_OK only hides "
      "it.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = "with only one of the runtimes loaded it does not end here";
  return out;
}

std::optional<Finding> by_text(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text = text_with(f, TextKind::openmp_error, {"OMP: Error #15", " already initialized"});
  if (!text) return std::nullopt;
  auto out = conflict(f, Strength::proven,
                      fmt::format("two OpenMP runtimes met: {}", one_line(f.snapshot.texts[*text].text, 150)));
  out.evidence_for.insert(out.evidence_for.begin(),
                          fact("text", "the OpenMP runtime says so and aborts", {text_ref(*text)}));
  return out;
}

std::optional<Finding> by_crossing(const Facts& f) {
  const auto& s = f.snapshot;
  const bool lives = s.termination.kind == TerminationKind::running;
  for (std::size_t t = 0; t < s.threads.size(); ++t) {
    if (lives ? s.threads[t].on_cpu != true : t != f.thread) continue;
    const auto call = crossed_call(s, t, family);
    if (!call) continue;
    const auto file = [&](std::size_t library) {
      return file_name(s.modules[s.inventory->libraries[library].module].path);
    };
    auto out = conflict(f, Strength::strong,
                        fmt::format("two OpenMP runtimes met: {} runs code of {} instead of its own{}",
                                    file(call->expected), file(call->called), lives ? " and does not get on there" : ""));
    out.evidence_for.insert(out.evidence_for.begin(), crossed_fact(s, *call));
    out.rival = lives ? "it is slow there and will get on" : "a fault that the second runtime has nothing to do with";
    if (auto order = other_order_text(s, call->called, call->expected)) out.fix.push_back(*order);
    return out;
  }
  return std::nullopt;
}

std::optional<Finding> check(const Facts& f) {
  if (auto told = by_text(f)) return told;
  const bool lives = f.snapshot.termination.kind == TerminationKind::running;
  return lives || died_by_its_own_doing(f) ? by_crossing(f) : std::nullopt;
}

}  // namespace

extern const Rule openmp_conflict{.title = "OpenMP conflict", .check = check, .of_living = true};

}  // namespace sigwhy::diagnose::rules
