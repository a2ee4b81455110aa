#include "experiment/settle.h"

#include <algorithm>

#include "diagnose/diagnose.h"
#include "diagnose/guard_findings.h"
#include "evidence/names.h"
#include "experiment/catch.h"
#include "experiment/same_death.h"

namespace sigwhy::experiment {

namespace {

constexpr std::string_view proof = "/proof";

bool rests_on_guard(const Finding& finding) {
  return std::ranges::any_of(finding.evidence_for, [](const Fact& fact) { return fact.id == diagnose::guard_fact; });
}

bool is_clean(const Snapshot& s) {
  return s.termination.kind == TerminationKind::exited && s.termination.exit_code == 0;
}

// Written over: what can have damaged anything that died later.
bool does_damage(const Snapshot& caught, const Finding& finding) {
  if (finding.cause == Cause::invalid_free || finding.cause == Cause::heap_corruption) return true;
  if (caught.guarded_heap && caught.guarded_heap->stop) return true;
  return caught.fault && caught.fault->access && *caught.fault->access != Access::read;
}

bool is_damage(Cause cause) { return cause == Cause::heap_corruption || cause == Cause::invalid_free; }

// These name the last instruction's trouble, and leave open where its address or the damage came from.
bool says_only_how(Cause cause) {
  return is_damage(cause) || cause == Cause::bad_jump || cause == Cause::wild_pointer || cause == Cause::write_to_read_only;
}

void move_below_proof(std::vector<Fact>& facts) {
  for (auto& fact : facts)
    for (auto& ref : fact.evidence) ref.path = std::string(proof) + ref.path;
}

Finding* finding_of(Diagnosis& d, Cause cause) {
  const auto found = std::ranges::find(d.findings, cause, &Finding::cause);
  return found == d.findings.end() ? nullptr : &*found;
}

Fact fact_of(const Outcome& outcome, std::size_t index) {
  return {"re-run", outcome.said, {{"/outcomes/" + std::to_string(index)}}};
}

bool is_catch(const Outcome& outcome) { return outcome.observed && outcome.variation.starts_with("guarded"); }

// What the guard proved takes the place of what was only thought, and explains how it ended.
void add_proof(Diagnosis& d, const Snapshot& before, const Snapshot& seen, bool same_each_time) {
  const auto of_seen = diagnose::diagnose(seen);
  const Finding* caught = caught_by_guard(of_seen);
  if (!caught) return;
  const auto tie = tie_between(before, d, seen, *caught);
  if (tie == Tie::another) return;
  Finding finding = *caught;
  move_below_proof(finding.evidence_for);
  move_below_proof(finding.evidence_against);
  if (same_each_time) {
    finding.strength = Strength::proven;
    finding.rival.reset();
  } else if (finding.strength == Strength::proven) {
    finding.strength = Strength::strong;
    finding.rival = "a pointer from elsewhere: with the blocks at other places it met another one";
  }
  if (tie == Tie::likely) {
    finding.strength = Strength::strong;
    finding.rival = "it dies of something else later on: the guarded heap stops at the first mistake";
  }
  const auto ended_as = d.verdict;
  if (tie == Tie::same) std::erase_if(d.findings, [&](const Finding& f) { return f.cause == finding.cause; });
  finding.explains = std::nullopt;
  if (ended_as != finding.cause && finding_of(d, ended_as)) finding.explains = ended_as;
  d.findings.push_back(std::move(finding));
}

void strengthen(Diagnosis& d, const Outcome& outcome, std::size_t index) {
  Finding* finding = finding_of(d, outcome.cause);
  if (!finding) {
    if (outcome.claim.empty() || outcome.cause == Cause::unknown) return;
    Finding made{.cause = outcome.cause, .rule = "confirm", .claim = outcome.claim, .strength = Strength::strong};
    if (finding_of(d, d.verdict)) made.explains = d.verdict;
    if (!outcome.rival.empty()) made.rival = outcome.rival;
    d.findings.push_back(std::move(made));
    finding = &d.findings.back();
  }
  finding->evidence_for.push_back(fact_of(outcome, index));
  finding->strength = std::max(finding->strength, outcome.observed ? Strength::proven : Strength::strong);
  if (!finding->rival && finding->strength == Strength::strong && !outcome.rival.empty()) finding->rival = outcome.rival;
}

// A proven finding stands on what was seen, which no count of deaths takes away.
void weaken(Diagnosis& d, const Outcome& outcome, std::size_t index) {
  Finding* finding = finding_of(d, outcome.cause);
  if (!finding) return;
  finding->evidence_against.push_back(fact_of(outcome, index));
  if (finding->strength == Strength::strong) finding->strength = Strength::plausible;
  else if (finding->strength == Strength::plausible) finding->strength = Strength::weak;
}

bool same_instruction(const Snapshot& a, const Snapshot& b) {
  if (!a.fault || !b.fault) return false;
  const auto place = place_in_module(a, a.fault->pc);
  return !place.empty() && place == place_in_module(b, b.fault->pc);
}

}  // namespace

const Finding* caught_by_guard(const Diagnosis& d) {
  if (d.findings.empty() || d.findings[0].strength < Strength::strong) return nullptr;
  return rests_on_guard(d.findings[0]) ? &d.findings[0] : nullptr;
}

Tie tie_between(const Snapshot& before, const Diagnosis& of_before, const Snapshot& caught, const Finding& finding) {
  if (is_clean(before)) return Tie::same;  // nothing else was to be explained
  const auto verdict = of_before.verdict;
  const bool memory_fault = before.termination.signal && is_memory_fault(verdict);
  const auto place = own_place(before);
  const bool same_place = !place.empty() && place == own_place(caught);
  const bool damages = does_damage(caught, finding);
  if (memory_fault && verdict == finding.cause && (same_place || place.empty() || damages)) return Tie::same;
  if (memory_fault && is_damage(verdict) && damages) return Tie::same;
  // The instruction that died took its index from memory that was never set: there the bad address came from.
  if (memory_fault && finding.cause == Cause::uninitialised_read && verdict != Cause::null_pointer &&
      same_instruction(before, caught))
    return Tie::same;
  // What is known of a null pointer stays true where something was read too far before: a read sets no pointer. Such a
  // mistake may be harmless; mending it would not keep the program alive.
  const bool known = !of_before.findings.empty() && of_before.findings[0].strength >= Strength::strong;
  if (known && !says_only_how(verdict)) return memory_fault && damages ? Tie::likely : Tie::another;
  return memory_fault && same_place ? Tie::same : Tie::likely;
}

Case settle(Case c) {
  c.diagnosis = diagnose::diagnose(c.snapshot);
  if (c.proof) add_proof(c.diagnosis, c.snapshot, *c.proof, std::ranges::any_of(c.outcomes, is_catch));
  if (!c.diagnosis.findings.empty()) diagnose::set_verdict(c.diagnosis);
  for (std::size_t i = 0; i < c.outcomes.size(); ++i) {
    const auto& outcome = c.outcomes[i];
    if (outcome.settled == Settled::confirmed) strengthen(c.diagnosis, outcome, i);
    if (outcome.settled == Settled::refuted) weaken(c.diagnosis, outcome, i);
  }
  if (!c.diagnosis.findings.empty()) diagnose::set_verdict(c.diagnosis);
  return c;
}

}  // namespace sigwhy::experiment
