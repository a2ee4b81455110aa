// Cases that were run again: what was tried, what it showed, a fix that was tested.
#pragma once
#include "samples.h"

namespace sigwhy::samples {

inline Outcome outcome(const char* variation, const char* change, Settled settled, const char* said) {
  return {.variation = variation, .change = change, .settled = settled, .said = said};
}

// Counting deaths made a race strong; the rival stays, and the fix was tested.
inline Case separated() {
  auto c = strong();
  c.diagnosis.verdict = Cause::data_race;
  Finding race{.cause = Cause::data_race,
               .rule = "confirm",
               .claim = "it dies only where several threads compute at once",
               .strength = Strength::strong,
               .explains = Cause::out_of_bounds,
               .evidence_for = {{"re-run", "with 4 threads 9 of 10 died, with 1 thread 0 of 10", {{"/outcomes/2"}}}},
               .rival = "one thread fewer also moves the heap and the timing"};
  c.diagnosis.findings.insert(c.diagnosis.findings.begin(), race);
  c.outcomes = {outcome("same-again", "the same again", Settled::confirmed, "3 of 3 runs died again"),
                outcome("guarded-heap", "on the guarded heap", Settled::inconclusive,
                        "on the guarded heap nothing was caught in 3 runs"),
                outcome("single-thread", "with 1 thread", Settled::confirmed,
                        "with 4 threads 9 of 10 died, with 1 thread 0 of 10"),
                outcome("malloc-perturb", "with memory filled by MALLOC_PERTURB_", Settled::refuted,
                        "as it was 9 of 10 died, with memory filled by MALLOC_PERTURB_ 7 of 7")};
  c.outcomes[1].why_not = "it survived there";
  c.outcomes[2].cause = Cause::data_race;
  c.outcomes[2].prediction = "in one thread it does not die";
  c.outcomes[2].rival = *race.rival;
  c.fix_tests = {{"OMP_NUM_THREADS=1 in the environment", {10, 9, 0}, {10, 0, 0}}};
  return c;
}

// It does not die by itself, and the guarded heap caught it all the same.
inline Case caught() {
  auto c = strong();
  c.proof = c.snapshot;
  c.snapshot = {};
  c.snapshot.process = c.proof->process;
  c.snapshot.termination = {.kind = TerminationKind::exited, .exit_code = 0, .after_seconds = 2};
  auto& finding = c.diagnosis.findings[0];
  finding.strength = Strength::proven;
  finding.claim = "crop() in libcrop.so read 8 bytes right behind the end of a block of 480,000 bytes";
  finding.rival.reset();
  for (auto& fact : finding.evidence_for)
    for (auto& ref : fact.evidence) ref.path = "/proof" + ref.path;
  c.outcomes = {outcome("guarded-heap", "on the guarded heap", Settled::confirmed, "on the guarded heap it was caught at once")};
  c.outcomes[0].observed = true;
  return c;
}

}  // namespace sigwhy::samples
