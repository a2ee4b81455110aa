// What outcomes do to findings, and when a mistake that the guarded heap caught is the death's own.
#include "experiment/settle.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/same_death.h"
#include "experiment/script.h"
#include "fake_program.h"

namespace sigwhy::experiment {

namespace {

// A death at a null pointer, as the rules see it: mapped nowhere, near 0.
Snapshot died_in(const char* function, int signal = SIGSEGV) {
  Snapshot s;
  s.termination = {.kind = TerminationKind::signalled, .signal = signal, .signal_name = "SIGSEGV"};
  s.process = {.pid = 7, .command = "solver"};
  s.modules = {{.path = "/home/ada/nets/solver", .origin = Origin::program}};
  Thread t{.tid = 7, .died = true};
  t.frames = {{.pc = {0x401000}, .trust = Trust::instruction_pointer, .module = 0, .symbol = function}};
  s.threads = {t};
  return s;
}

Diagnosis verdict(Cause cause, Strength strength) {
  return {.verdict = cause, .findings = {{.cause = cause, .claim = "x", .strength = strength}}};
}

Finding caught(Cause cause) { return {.cause = cause, .claim = "y", .strength = Strength::proven}; }

Outcome outcome(Cause cause, Settled settled) {
  return {.variation = "single-thread", .cause = cause, .settled = settled, .said = "9 of 10, 0 of 10",
          .claim = "it dies only where several threads compute at once", .rival = "the heap moves"};
}

}  // namespace

// The index that led out of the array was read from memory that was never set.
TEST(Tie, AnUnsetIndexExplainsTheAccessItLedTo) {
  const auto at = [](std::uint64_t load_address, std::uint64_t offset) {
    Snapshot s = died_in("take");
    s.modules = {{.path = "/home/ada/nets/order.so", .start = {load_address}, .end = {load_address + 0x9000}}};
    s.fault = Fault{};
    s.fault->pc = Address{load_address + offset};
    return s;
  };
  const auto outside = verdict(Cause::out_of_bounds, Strength::strong);
  EXPECT_EQ(tie_between(at(0x10000, 0x1a0), outside, at(0x70000, 0x1a0), caught(Cause::uninitialised_read)), Tie::same);
  EXPECT_EQ(tie_between(at(0x10000, 0x1a0), outside, at(0x70000, 0x2b0), caught(Cause::uninitialised_read)),
            Tie::another);
}

TEST(Tie, AtTheSamePlaceItIsTheDeathItself) {
  EXPECT_EQ(tie_between(died_in("crop"), verdict(Cause::wild_pointer, Strength::weak), died_in("crop"),
                        caught(Cause::use_after_free)),
            Tie::same);
}

TEST(Tie, ElsewhereItIsOnlyLikely) {
  EXPECT_EQ(tie_between(died_in("crop"), verdict(Cause::wild_pointer, Strength::plausible), died_in("load"),
                        caught(Cause::out_of_bounds)),
            Tie::likely);
}

TEST(Tie, AReadDoesNotDamageTheHeap) {
  auto reading = died_in("load"), writing = died_in("load");
  reading.fault = Fault{.access = Access::read};
  writing.fault = Fault{.access = Access::write};
  const auto damaged = verdict(Cause::heap_corruption, Strength::strong);
  EXPECT_EQ(tie_between(died_in("free"), damaged, reading, caught(Cause::out_of_bounds)), Tie::likely);
  EXPECT_EQ(tie_between(died_in("free"), damaged, writing, caught(Cause::out_of_bounds)), Tie::same);
}

TEST(Tie, WhatIsProvenToBeSomethingElseStaysSo) {
  EXPECT_EQ(tie_between(died_in("crop"), verdict(Cause::null_pointer, Strength::proven), died_in("load"),
                        caught(Cause::out_of_bounds)),
            Tie::another);
  EXPECT_EQ(tie_between(died_in("crop", SIGFPE), verdict(Cause::division_by_zero, Strength::proven), died_in("crop"),
                        caught(Cause::out_of_bounds)),
            Tie::another);
}

TEST(Settle, CountingReachesStrongAndKeepsTheRival) {
  Case c;
  c.snapshot = died_in("crop");
  c.outcomes = {outcome(Cause::data_race, Settled::confirmed)};
  const auto settled = settle(c);
  const auto race = std::ranges::find(settled.diagnosis.findings, Cause::data_race, &Finding::cause);
  ASSERT_NE(race, settled.diagnosis.findings.end());
  EXPECT_EQ(race->strength, Strength::strong);
  EXPECT_EQ(race->rival, "the heap moves");
  EXPECT_EQ(settled.diagnosis.verdict, Cause::data_race);
}

TEST(Settle, AgainGivesTheSame) {
  Case c;
  c.snapshot = died_in("crop");
  c.outcomes = {outcome(Cause::data_race, Settled::confirmed)};
  const auto once = settle(c), twice = settle(once);
  ASSERT_EQ(once.diagnosis.findings.size(), twice.diagnosis.findings.size());
  EXPECT_EQ(once.diagnosis.findings[0].evidence_for.size(), twice.diagnosis.findings[0].evidence_for.size());
}

TEST(Settle, RefutedLosesStrengthAndInconclusiveNothing) {
  Case c;
  c.snapshot = died_in("crop");
  const auto before = settle(c).diagnosis;
  c.outcomes = {outcome(Cause::data_race, Settled::inconclusive)};
  EXPECT_EQ(settle(c).diagnosis.findings.size(), before.findings.size());
  c.outcomes = {outcome(Cause::data_race, Settled::refuted)};
  EXPECT_EQ(settle(c).diagnosis.findings.size(), before.findings.size());
}

TEST(Settle, OnlyWhatWasObservedIsProven) {
  Case c;
  c.snapshot = died_in("crop");
  c.outcomes = {outcome(Cause::out_of_memory_killed, Settled::confirmed)};
  EXPECT_EQ(settle(c).diagnosis.findings[0].strength, Strength::strong);
  c.outcomes[0].observed = true;
  EXPECT_EQ(settle(c).diagnosis.findings[0].strength, Strength::proven);
}

TEST(SameDeath, DamageMovesAnOtherExitDoesNot) {
  const auto before = died_of(SIGSEGV, Cause::heap_corruption, Strength::strong);
  EXPECT_EQ(end_of(before, {.result = died_of(SIGABRT, Cause::invalid_free, Strength::strong)}), End::died);
  EXPECT_EQ(end_of(before, {.result = survived_case()}), End::survived);
  EXPECT_EQ(end_of(before, {.result = died_of(SIGFPE, Cause::division_by_zero, Strength::proven)}), End::otherwise);
  EXPECT_EQ(end_of(before, {.result = survived_case(), .timed_out = true}), End::otherwise);
  auto exited = survived_case();
  exited.snapshot.termination.exit_code = 3;
  EXPECT_EQ(end_of(before, {.result = exited}), End::otherwise);
}

TEST(SameDeath, AHangIsOneThatDoesNotEnd) {
  Case before;
  before.snapshot.termination.kind = TerminationKind::hung;
  EXPECT_EQ(end_of(before, {.timed_out = true}), End::died);
  EXPECT_EQ(end_of(before, {.result = survived_case()}), End::survived);
}

TEST(SameDeath, AnExceptionIsItsTypeAndLine) {
  auto before = survived_case();
  before.snapshot.termination.exit_code = 1;
  PyException e{.type = "ValueError", .message = "x"};
  e.traceback = {{.file = "/home/ada/nets/train.py", .line = 3}};
  before.snapshot.python_exceptions = {e};
  auto same = before, other = before;
  same.snapshot.python_exceptions[0].message = "y";
  other.snapshot.python_exceptions[0].traceback[0].line = 4;
  EXPECT_EQ(end_of(before, {.result = same}), End::died);
  EXPECT_EQ(end_of(before, {.result = other}), End::otherwise);
}

TEST(Script, ImportsInTheirOrder) {
  const auto names = imports_of("import os, numpy as np\nfrom a.b import c\n    import inner\nimport numpy  # again\n");
  EXPECT_EQ(names, (std::vector<std::string>{"os", "numpy", "a"}));
}

}  // namespace sigwhy::experiment
