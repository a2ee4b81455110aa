#include "diagnose/diagnose.h"

#include <algorithm>
#include <string>

#include "diagnose/certain.h"
#include "diagnose/facts.h"
#include "diagnose/phrases.h"
#include "diagnose/precedence.h"
#include "diagnose/rule.h"
#include "evidence/names.h"

namespace sigwhy::diagnose {

namespace {

// A rule's file is named after the cause it finds.
std::string rule_name(Cause cause) {
  std::string name(to_name(cause));
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<Finding> run_rules(const Facts& facts) {
  std::vector<Finding> findings;
  for (const Rule* rule : all_rules())
    if (auto finding = rule->check(facts)) {
      finding->rule = rule_name(finding->cause);
      findings.push_back(std::move(*finding));
    }
  return findings;
}

// A library's own thread died: the line that asked for the work is the one a reader knows.
void add_waiting_line(const Facts& f, std::vector<Finding>& findings) {
  if (!f.python || !f.python->waits) return;
  const auto& frame = f.snapshot.threads[f.python->thread].python[f.python->frame];
  const auto line = frame.line ? ":" + std::to_string(*frame.line) : std::string();
  for (auto& finding : findings)
    finding.evidence_for.push_back(
        {"waits", file_name(frame.file) + line + " called into the same library and waits for this thread",
         {{"/threads/" + std::to_string(f.python->thread) + "/python/" + std::to_string(f.python->frame)}}});
}

bool is_clean(const Snapshot& s) {
  return s.termination.kind == TerminationKind::exited && s.termination.exit_code == 0;
}

}  // namespace

Diagnosis diagnose(const Snapshot& snapshot) {
  Diagnosis d;
  if (is_clean(snapshot)) {
    d.verdict = Cause::clean_exit;
    return d;
  }
  // It lives: there is no death to explain, and what it is doing is no finding.
  if (snapshot.termination.kind == TerminationKind::running) return d;
  const Facts facts = facts_of(snapshot);
  d.findings = run_rules(facts);
  add_waiting_line(facts, d.findings);
  drop_superseded(d.findings);
  const auto verdict = verdict_of(d.findings);
  if (verdict != d.findings.end()) {
    d.verdict = verdict->cause;
    std::rotate(d.findings.begin(), verdict, verdict + 1);
    std::stable_sort(d.findings.begin() + 1, d.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.strength > b.strength; });
  } else {
    std::ranges::stable_sort(d.findings, std::ranges::greater{}, &Finding::strength);
  }
  d.certain = certain_of(facts);
  d.unexplained = unexplained_by(facts, d.findings);
  return d;
}

}  // namespace sigwhy::diagnose
