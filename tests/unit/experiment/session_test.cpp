// Sessions over programs that are only numbers: what is settled, what is left open, and how often a session is wrong.
#include "experiment/session.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "experiment/sequential.h"
#include "fake_program.h"

namespace sigwhy::experiment {

namespace {

const Outcome* outcome_of(const Case& c, std::string_view variation) {
  const auto found = std::ranges::find(c.outcomes, variation, &Outcome::variation);
  return found == c.outcomes.end() ? nullptr : &*found;
}

struct Stage {
  Case before = died_of(SIGSEGV, Cause::heap_corruption, Strength::strong);
  Recipe recipe{.argv = {"./solver"}};
  Wishes wishes{.runs = 20};

  SessionEnd run(std::uint64_t seed, std::function<double(const Change&)> p) {
    return run_with(fake_tools(before, seed, std::move(p)));
  }
  SessionEnd run_with(const Tools& tools) {
    const Subject subject{before, recipe, wishes};
    const auto plan = plan_session(subject);
    auto end = run_session(subject, plan.value(), tools);
    return end.value();
  }
};

}  // namespace

TEST(Session, OneThreadSeparates) {
  Stage stage;
  const auto end = stage.run(1, [](const Change& c) { return has_set(c, "OMP_NUM_THREADS") ? 0.0 : 1.0; });
  const auto* outcome = outcome_of(end.result, "single-thread");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->settled, Settled::confirmed);
  EXPECT_FALSE(outcome->observed);
  EXPECT_TRUE(outcome->said.starts_with("with 4 threads ")) << outcome->said;
  ASSERT_FALSE(end.result.fix_tests.empty());
  EXPECT_EQ(end.result.fix_tests[0].after.died, 0u);
  const auto race = std::ranges::find(end.result.diagnosis.findings, Cause::data_race, &Finding::cause);
  ASSERT_NE(race, end.result.diagnosis.findings.end());
  EXPECT_EQ(race->strength, Strength::strong);
  EXPECT_TRUE(race->rival);
}

TEST(Session, OneThreadIsRefuted) {
  Stage stage;
  const auto end = stage.run(1, [](const Change&) { return 1.0; });
  EXPECT_EQ(outcome_of(end.result, "single-thread")->settled, Settled::refuted);
  EXPECT_TRUE(end.settled);
  EXPECT_TRUE(end.result.fix_tests.empty());
}

TEST(Session, WhatDoesNotDieAgainIsSaid) {
  Stage stage;
  const auto end = stage.run(1, [](const Change&) { return 0.0; });
  EXPECT_EQ(outcome_of(end.result, "same-again")->settled, Settled::refuted);
  EXPECT_EQ(outcome_of(end.result, "same-again")->said, "0 of 5 runs died again");
  EXPECT_EQ(outcome_of(end.result, "single-thread")->settled, Settled::inconclusive);
}

TEST(Session, AnotherFailureIsNotCounted) {
  Stage stage;
  stage.wishes.only = {"single-thread"};
  auto tools = fake_tools(stage.before, 1, [](const Change&) { return 1.0; });
  tools.run = [&](const Change& change) -> Result<Trial> {
    Trial trial{.result = stage.before};
    if (has_set(change, "OMP_NUM_THREADS"))
      trial.result.snapshot.termination = {.kind = TerminationKind::exited, .exit_code = 3};
    return trial;
  };
  const auto end = stage.run_with(tools);
  const auto* outcome = outcome_of(end.result, "single-thread");
  EXPECT_EQ(outcome->settled, Settled::inconclusive);
  EXPECT_EQ(outcome->why_not, "it failed in another way: it exited with 3");
  EXPECT_FALSE(end.settled);
}

TEST(Session, AChangeWithoutEffectSaysNothing) {
  Stage stage;
  stage.wishes.only = {"single-thread"};
  auto tools = fake_tools(stage.before, 1, [](const Change&) { return 1.0; });
  tools.run = [&](const Change& change) -> Result<Trial> {
    if (!has_set(change, "OMP_NUM_THREADS")) return Trial{.result = stage.before};
    return Trial{.result = survived_case(), .took_effect = false, .why_no_effect = "no Python took it"};
  };
  const auto end = stage.run_with(tools);
  EXPECT_EQ(outcome_of(end.result, "single-thread")->why_not, "no Python took it");
}

TEST(Session, ADeathThatStopsByItselfIsNoMerit) {
  Stage stage;
  stage.wishes.only = {"single-thread"};
  auto tools = fake_tools(stage.before, 1, [](const Change&) { return 1.0; });
  tools.run = [&, as_it_was = 0](const Change& change) mutable -> Result<Trial> {
    if (has_set(change, "OMP_NUM_THREADS")) return Trial{.result = survived_case()};
    return Trial{.result = ++as_it_was <= 3 ? stage.before : survived_case()};
  };
  EXPECT_NE(outcome_of(stage.run_with(tools).result, "single-thread")->settled, Settled::confirmed);
}

TEST(Session, CtrlCKeepsWhatIsKnown) {
  Stage stage;
  auto tools = fake_tools(stage.before, 1, [](const Change&) { return 1.0; });
  tools.run = [&, runs = 0](const Change&) mutable -> Result<Trial> {
    return Trial{.result = stage.before, .interrupted = ++runs > 4};
  };
  const auto end = stage.run_with(tools);
  EXPECT_TRUE(end.interrupted);
  EXPECT_EQ(outcome_of(end.result, "same-again")->settled, Settled::confirmed);
  EXPECT_EQ(end.result.outcomes.back().why_not, "interrupted");
}

TEST(Session, AFailingFirstRunIsAnError) {
  Stage stage;
  const Subject subject{stage.before, stage.recipe, stage.wishes};
  const Tools tools{.run = [](const Change&) -> Result<Trial> { return failure("no layer"); }, .seconds = [] { return 0.0; }};
  const auto end = run_session(subject, plan_session(subject).value(), tools);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().what, "no layer");
}

TEST(Session, AnUnknownVariationIsAnError) {
  Stage stage;
  stage.wishes.only = {"moon-phase"};
  EXPECT_FALSE(plan_session({stage.before, stage.recipe, stage.wishes}));
}

// Whole sessions, as they are run: nothing that is changed makes a difference, and nothing may be confirmed.
TEST(Session, NullSessionsConfirmNothing) {
  int sessions = 0, wrong = 0;
  for (const double p : {0.05, 0.2, 0.5, 0.8, 0.95, 1.0})
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      Stage stage;
      const auto end = stage.run(seed * 1000 + static_cast<std::uint64_t>(p * 100), [p](const Change&) { return p; });
      wrong += std::ranges::any_of(end.result.outcomes, [](const Outcome& o) {
        return o.settled == Settled::confirmed && o.variation != "same-again";
      });
      ++sessions;
    }
  EXPECT_LE(wrong, sessions * session_error);
}

}  // namespace sigwhy::experiment
