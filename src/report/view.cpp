#include "report/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "evidence/names.h"
#include "report/details.h"
#include "report/exception_places.h"
#include "report/experiments.h"
#include "report/gaps.h"
#include "report/heap_rows.h"
#include "report/living.h"
#include "report/memory_over_time.h"
#include "report/memory_holders.h"
#include "report/places.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_reasons = 6;
constexpr std::size_t most_candidates = 2;

std::string upper(std::string_view text) {
  std::string done(text);
  for (char& c : done) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  return done;
}

bool says_may(std::string_view claim) {
  for (const std::string_view word : {" may ", " might ", " could ", " perhaps "})
    if ((" " + std::string(claim) + " ").find(word) != std::string::npos) return true;
  return false;
}

VerdictLine verdict_line(const Finding& finding) {
  const bool firm = finding.strength >= Strength::strong;
  return {upper(to_name(finding.strength)), std::string(to_name(finding.cause)),
          firm || says_may(finding.claim) ? finding.claim : "may be so: " + finding.claim};
}

const Finding* finding_of(const Diagnosis& d, Cause cause) {
  for (const auto& finding : d.findings)
    if (finding.cause == cause) return &finding;
  return nullptr;
}

// The verdict, and below it what it explains: from how it ended to why. A finding explains each other one at
// most once, so a circle in a foreign file ends.
std::vector<const Finding*> chain_to(const Diagnosis& d, const Finding& verdict) {
  std::vector<const Finding*> chain = {&verdict};
  while (chain.back()->explains) {
    const Finding* next = finding_of(d, *chain.back()->explains);
    if (!next || std::ranges::find(chain, next) != chain.end()) break;
    chain.push_back(next);
  }
  std::ranges::reverse(chain);
  return chain;
}

VerdictLine unknown_line(const Diagnosis& d) {
  if (d.certain.empty()) return {"UNKNOWN", "", "what was seen fits no cause that sigwhy knows"};
  return {"UNKNOWN", "", fmt::format("what is certain: {}", fmt::join(d.certain, "; "))};
}

// What may lie behind memory that ran out, where it is not known where that went.
const Finding* possible_leak(const Diagnosis& d, const Finding& verdict) {
  const bool known = std::ranges::any_of(verdict.evidence_for, [](const Fact& f) { return f.id == "story"; });
  const Finding* leak = known ? nullptr : finding_of(d, Cause::memory_leak);
  return leak && leak->strength == Strength::plausible && leak->explains == verdict.cause ? leak : nullptr;
}

// The findings that the report is about, mechanism first.
std::vector<const Finding*> told(const Diagnosis& d) {
  if (const Finding* verdict = d.verdict == Cause::unknown ? nullptr : finding_of(d, d.verdict)) {
    auto chain = chain_to(d, *verdict);
    if (const Finding* leak = possible_leak(d, *verdict)) chain.push_back(leak);
    return chain;
  }
  std::vector<const Finding*> candidates;
  for (const auto& finding : d.findings)
    if (finding.cause != Cause::unknown && candidates.size() < most_candidates) candidates.push_back(&finding);
  return candidates;
}

Section fix_section(const Case& c, const std::vector<const Finding*>& findings) {
  if (auto tested = tested_fix_section(c); !tested.rows.empty()) return tested;
  Section section{"Fix (not tested)", {}};
  // the deepest cause is the one to mend
  for (const Finding* finding : findings | std::views::reverse) {
    for (const auto& line : finding->fix) section.rows.push_back({{sentence(line)}});
    if (!section.rows.empty()) break;
  }
  return section;
}

Section why_section(const std::vector<const Finding*>& findings) {
  Section section{"Why", {}};
  const auto say = [&](std::string text) {
    Row row{{sentence(std::move(text))}};
    const bool said = std::ranges::any_of(section.rows, [&](const Row& r) { return r.cells == row.cells; });
    if (!said) section.rows.push_back(std::move(row));
  };
  for (const Finding* finding : findings)
    for (const auto& fact : finding->evidence_for)
      if (section.rows.size() < most_reasons && !is_told_as_tried(fact)) say(fact.sentence);
  for (const Finding* finding : findings)
    for (const auto& fact : finding->evidence_against)
      if (!is_told_as_tried(fact)) say("Against: " + fact.sentence);
  for (const Finding* finding : findings)
    if (finding->rival && finding->strength != Strength::proven) say("Rival: " + *finding->rival);
  return section;
}

// What is public of the operation that ran. Where several fit, which of them it was is not known.
Section known_section(const Diagnosis& d) {
  Section section{d.known.size() > 1 ? "Known, perhaps one of these" : "Known", {}};
  for (const KnownBug& bug : d.known) {
    const auto fixes = bug.fixed_in.empty() ? "no fixed release is known"
                                            : fmt::format("fixed in {}", fmt::join(bug.fixed_in, ", "));
    section.rows.push_back({{fmt::format("{}: {}, in {}\u00a0{}; {}", bug.id, bug.summary, bug.package, bug.version, fixes)}});
  }
  return section;
}

void add(std::vector<Section>& sections, Section section) {
  if (!section.rows.empty()) sections.push_back(std::move(section));
}

// Where it stood when it ended by itself is no place of interest.
bool ended_well(const Snapshot& s) {
  return s.termination.kind == TerminationKind::exited && s.termination.exit_code == 0;
}

View living_view(const Case& c, Detail detail) {
  View view;
  view.headline = living_headline(c.snapshot);
  const auto findings = told(c.diagnosis);
  for (const Finding* finding : findings) view.verdicts.push_back(verdict_line(*finding));
  if (c.snapshot.memory_use) {
    for (auto& section : memory_sections(c.snapshot)) add(view.sections, std::move(section));
    add(view.sections, native_section(c.snapshot));
  } else {
    view.sections = living_sections(c.snapshot);
    add(view.sections, fix_section(c, findings));
    add(view.sections, why_section(findings));
    add(view.sections, not_seen_section(c));
  }
  if (detail == Detail::everything) view.details = make_details(c);
  return view;
}

}  // namespace

View make_view(const Case& c, Detail detail, const std::string& again) {
  if (c.snapshot.termination.kind == TerminationKind::running) return living_view(c, detail);
  View view;
  view.headline = make_headline(c.snapshot);
  const auto findings = told(c.diagnosis);
  const bool died = c.diagnosis.verdict != Cause::clean_exit;
  if (died && (c.diagnosis.verdict == Cause::unknown || findings.empty())) view.verdicts.push_back(unknown_line(c.diagnosis));
  for (const Finding* finding : findings) view.verdicts.push_back(verdict_line(*finding));
  const Snapshot& seen = told_by_proof(c, findings) ? *c.proof : c.snapshot;
  view.places = exception_places(seen, findings);
  if (view.places.empty() && !ended_well(seen)) view.places = make_places(seen, findings);
  if (view.places.empty()) view.places = last_seen_rows(seen);
  for (auto& row : heap_rows(seen, findings)) view.places.push_back(std::move(row));
  for (auto& row : holder_rows(seen, findings)) view.places.push_back(std::move(row));
  for (auto& row : memory_rows(seen, findings)) view.places.push_back(std::move(row));
  add(view.sections, fix_section(c, findings));
  add(view.sections, known_section(c.diagnosis));
  add(view.sections, why_section(findings));
  add(view.sections, tried_section(c));
  add(view.sections, not_seen_section(c));
  if (detail == Detail::everything) view.details = make_details(c);
  if (!c.id.empty()) view.footer.push_back(c.id);
  if (!again.empty() && detail == Detail::usual) view.footer.push_back("more: " + again + " --full");
  if (again.starts_with("sigwhy show ") && detail == Detail::usual && is_worth_confirming(c))
    view.footer.push_back("prove: sigwhy confirm " + c.id);
  return view;
}

View make_view(const Case& c, Detail detail) { return make_view(c, detail, c.id.empty() ? "" : "sigwhy show " + c.id); }

}  // namespace sigwhy::report
