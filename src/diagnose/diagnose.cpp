#include "diagnose/diagnose.h"

#include <algorithm>
#include <string>

#include "diagnose/certain.h"
#include "diagnose/facts.h"
#include "diagnose/guard_findings.h"
#include "diagnose/known.h"
#include "diagnose/phrases.h"
#include "diagnose/precedence.h"
#include "diagnose/rule.h"
#include "diagnose/worker_death.h"
#include "evidence/names.h"

namespace sigwhy::diagnose {

namespace {

// A rule's file is named after the cause it finds.
std::string rule_name(Cause cause) {
  std::string name(to_name(cause));
  std::ranges::replace(name, '-', '_');
  return name;
}

std::vector<Finding> run_rules(const Facts& facts, bool lives) {
  std::vector<Finding> findings;
  for (const Rule* rule : all_rules()) {
    if (lives && !rule->of_living) continue;
    if (auto finding = rule->check(facts)) {
      finding->rule = rule_name(finding->cause);
      findings.push_back(std::move(*finding));
    }
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

// It did not tell of a child that crashed before; its reader should know, for the two may belong together.
void add_dead_child(const Facts& f, std::vector<Finding>& findings) {
  if (!f.failure || tells_of_child(f.snapshot)) return;
  const auto child = crashed_child(f.snapshot);
  if (!child) return;
  for (auto& finding : findings)
    finding.evidence_against.push_back(
        {"child", crashed_text(f.snapshot.process.tree[*child]), {{"/process/tree/" + std::to_string(*child)}}});
}

bool is_clean(const Snapshot& s) {
  return s.termination.kind == TerminationKind::exited && s.termination.exit_code == 0;
}

// It ended well, and yet the guarded heap saw it damage its memory: nothing else is to be explained.
void keep_what_guard_saw(std::vector<Finding>& findings) {
  std::erase_if(findings, [](const Finding& finding) {
    return std::ranges::none_of(finding.evidence_for, [](const Fact& f) { return f.id == guard_fact; });
  });
}

}  // namespace

void set_verdict(Diagnosis& d) {
  const auto verdict = verdict_of(d.findings);
  d.verdict = verdict == d.findings.end() ? Cause::unknown : verdict->cause;
  const auto behind = verdict == d.findings.end() ? 0 : 1;
  if (behind) std::rotate(d.findings.begin(), verdict, verdict + 1);
  std::stable_sort(d.findings.begin() + behind, d.findings.end(),
                   [](const Finding& a, const Finding& b) { return a.strength > b.strength; });
}

Diagnosis diagnose(const Snapshot& snapshot) {
  Diagnosis d;
  const bool guard_found = snapshot.guarded_heap && snapshot.guarded_heap->stop;
  if (is_clean(snapshot) && !guard_found) {
    d.verdict = Cause::clean_exit;
    return d;
  }
  // It lives: there is no death to explain, and what it is doing is a finding only where it cannot get on.
  const bool lives = snapshot.termination.kind == TerminationKind::running;
  const Facts facts = facts_of(snapshot);
  d.findings = run_rules(facts, lives);
  if (lives) {
    set_verdict(d);
    return d;
  }
  if (is_clean(snapshot)) keep_what_guard_saw(d.findings);
  if (is_clean(snapshot) && d.findings.empty()) {
    d.verdict = Cause::clean_exit;
    return d;
  }
  add_waiting_line(facts, d.findings);
  add_dead_child(facts, d.findings);
  drop_superseded(d.findings);
  join_crossing_to_end(d.findings);
  set_verdict(d);
  d.certain = certain_of(facts);
  d.unexplained = unexplained_by(facts, d.findings);
  d.known = known_bugs(facts, d.verdict);
  return d;
}

}  // namespace sigwhy::diagnose
