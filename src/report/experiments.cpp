#include "report/experiments.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <array>

#include "evidence/names.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

std::string of_text(const Arm& arm) { return fmt::format("{} of {}", arm.died, arm.runs - arm.otherwise); }

// The one that leaves the fewest deaths; among equals the first, which separated best.
const FixTest* best_fix(const std::vector<FixTest>& tests) {
  const auto best = std::ranges::min_element(tests, {}, [](const FixTest& t) {
    return t.after.runs ? static_cast<double>(t.after.died) / static_cast<double>(t.after.runs) : 1.0;
  });
  return best == tests.end() ? nullptr : &*best;
}

}  // namespace

Section tested_fix_section(const Case& c) {
  const FixTest* best = best_fix(c.fix_tests);
  if (!best) return {};
  Section section{fmt::format("Fix (tested: {} died, before {})", of_text(best->after), of_text(best->before)), {}};
  section.rows.push_back({{sentence(best->fix)}});
  return section;
}

Section tried_section(const Case& c) {
  Section section{"Tried", {}};
  for (const auto& outcome : c.outcomes) {
    auto result = std::string(to_name(outcome.settled));
    auto said = outcome.said;
    if (outcome.settled == Settled::inconclusive && outcome.why_not)
      said += (said.empty() ? "" : "; ") + *outcome.why_not;
    section.rows.push_back({{result, sentence(std::move(said))}});
  }
  return section;
}

// A signal that somebody sent, or a pipe without a reader, is nothing that a re-run could settle.
bool is_worth_confirming(const Case& c) {
  const auto& t = c.snapshot.termination;
  constexpr std::array settled = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGUSR1, SIGUSR2};
  if (t.signal && std::ranges::find(settled, *t.signal) != settled.end()) return false;
  const bool proven = !c.diagnosis.findings.empty() && c.diagnosis.findings[0].strength == Strength::proven;
  return t.signal && t.kind != TerminationKind::lost && !proven && c.outcomes.empty();
}

std::vector<Section> experiment_details(const Case& c) {
  std::vector<Section> sections;
  for (const auto& outcome : c.outcomes) {
    Section section{fmt::format("Tried: {}, {}", outcome.variation, to_name(outcome.settled)), {}};
    const auto add = [&](const char* label, const std::string& text) {
      if (!text.empty()) section.rows.push_back({{label, text}});
    };
    add("changed", outcome.change);
    if (outcome.cause != Cause::unknown) add("about", std::string(to_name(outcome.cause)));
    add("prediction", outcome.prediction);
    add("showed", outcome.said);
    add("open", outcome.why_not.value_or(""));
    add("rival", outcome.observed ? "" : outcome.rival);
    sections.push_back(std::move(section));
  }
  return sections;
}

bool is_told_as_tried(const Fact& fact) {
  return std::ranges::any_of(fact.evidence, [](const EvidenceRef& ref) { return ref.path.starts_with("/outcomes/"); });
}

bool told_by_proof(const Case& c, const std::vector<const Finding*>& findings) {
  if (!c.proof) return false;
  return std::ranges::any_of(findings, [](const Finding* finding) {
    return std::ranges::any_of(finding->evidence_for, [](const Fact& fact) {
      return std::ranges::any_of(fact.evidence, [](const EvidenceRef& ref) { return ref.path.starts_with("/proof"); });
    });
  });
}

}  // namespace sigwhy::report
