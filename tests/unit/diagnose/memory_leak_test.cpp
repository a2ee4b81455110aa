// A climb and a holder that tell the same story are a leak; each alone is none.
#include <gtest/gtest.h>

#include <cmath>

#include "diagnose/memory_growth.h"
#include "diagnose/precedence.h"
#include "diagnose/rule.h"
#include "evidence/names.h"
#include "memory_builder.h"

namespace sigwhy::diagnose {

namespace rules {
extern const Rule memory_leak;
}

namespace {

std::optional<Finding> leak_in(const MemoryRun& run) { return rules::memory_leak.check(facts_of(run.s)); }

std::string strength(const MemoryRun& run) {
  const auto found = leak_in(run);
  return found ? std::string(to_name(found->strength)) : "none";
}

MemoryRun growing_list() {
  MemoryRun run;
  run.limit(8 * gib).climbs(600 * mib, 8 * gib).steps("step", 240);
  run.holds("history", "list", 2412, 7390 * mib);
  run.adds("history", "history.append(batch)");
  return run;
}

}  // namespace

TEST(MemoryLeak, AListThatGrowsWithTheSteps) {
  const auto found = leak_in(growing_list());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->strength, Strength::strong);
  EXPECT_EQ(found->explains, Cause::out_of_memory_killed);
  EXPECT_EQ(found->claim, "list `history` keeps growing: it holds 2,412 float32 arrays (1024, 784), added at train.py:12");
  EXPECT_NE(found->evidence_for[0].sentence.find("3.2 MiB a step"), std::string::npos) << found->evidence_for[0].sentence;
  EXPECT_NE(found->evidence_for[1].sentence.find("holds 7.2 GiB; memory grew by 7."), std::string::npos)
      << found->evidence_for[1].sentence;
  EXPECT_TRUE(found->rival);
}

TEST(MemoryLeak, IsTheVerdictBehindTheKillAndNothingWithoutIt) {
  std::vector<Finding> findings{*leak_in(growing_list())};
  Finding kill{.cause = Cause::out_of_memory_killed, .strength = Strength::proven};
  findings.push_back(kill);
  drop_superseded(findings);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(verdict_of(findings)->cause, Cause::memory_leak);
  findings[0].strength = Strength::plausible;
  EXPECT_EQ(verdict_of(findings)->cause, Cause::out_of_memory_killed);
  findings = {*leak_in(growing_list()), {.cause = Cause::killed_by_process, .strength = Strength::strong}};
  drop_superseded(findings);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].cause, Cause::killed_by_process);
}

// All within four readings, the last at the limit.
MemoryRun fast_list() {
  MemoryRun run = growing_list();
  Timeline& t = *run.s.timeline;
  t.steps.clear();
  t.at_s.resize(30);
  t.group_used_bytes.resize(30);
  for (auto* column : {&t.processes[0].anonymous_bytes, &t.processes[0].file_bytes, &t.processes[0].shared_bytes,
                       &t.processes[0].swap_bytes})
    column->resize(30);
  for (std::size_t i = 0; i < 30; ++i) {
    const std::uint64_t rise = i < 26 ? 0 : (i - 25) * 1850 * mib;
    t.processes[0].anonymous_bytes[i] = 600 * mib + rise;
    t.group_used_bytes[i] = 700 * mib + rise;
  }
  return run;
}

TEST(MemoryLeak, SoFastThatTheReadingsHardlySawIt) {
  EXPECT_EQ(strength(fast_list()), "strong");
  auto filled = fast_list();
  filled.s.memory_use->added[0].only_fills = true;
  EXPECT_EQ(strength(filled), "none");
  auto few = fast_list();
  few.s.memory_use->holders[0].elements[0].count = few.s.memory_use->holders[0].count = 4;
  EXPECT_EQ(strength(few), "none");
}

TEST(MemoryLeak, ALoopThatOnlyFillsItMayBeMakingADataSet) {
  auto run = growing_list();
  run.s.memory_use->added[0].only_fills = true;
  EXPECT_EQ(strength(run), "plausible");
}

MemoryRun two_lists(std::uint64_t each) {
  MemoryRun run;
  run.limit(8 * gib).climbs(600 * mib, 8 * gib).steps("step", 240);
  run.holds("inputs", "list", 1200, each);
  run.holds("outputs", "list", 1200, each);
  return run;
}

TEST(MemoryLeak, TwoListsThatGrowTogether) {
  auto run = two_lists(3700 * mib);
  EXPECT_EQ(strength(run), "none");
  run.adds("inputs", "inputs.append(x)").adds("outputs", "outputs.append(y)");
  const auto found = leak_in(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->strength, Strength::strong);
  EXPECT_EQ(found->claim, "`inputs` and `outputs` keep growing together, added at train.py:12");
  EXPECT_EQ(found->evidence_for.size(), 3u);
}

TEST(MemoryLeak, NotTwoListsThatWereThereBefore) {
  auto run = two_lists(1200 * mib);
  run.adds("inputs", "inputs.append(x)").adds("outputs", "outputs.append(y)");
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, AnAddressThatRisesWithMemoryCountsNoSteps) {
  auto run = growing_list();
  run.s.timeline->steps.clear();
  run.steps("block", 760.0 * mib);
  const auto found = leak_in(run);
  ASSERT_TRUE(found);
  EXPECT_NE(found->evidence_for[0].sentence.find("a second"), std::string::npos) << found->evidence_for[0].sentence;
}

TEST(MemoryLeak, SaysThatASmallerBatchWouldNotHelp) {
  auto run = growing_list();
  run.s.arrays.push_back({.name = "labels", .dtype = "int64", .shape = {1024, 10}});
  const auto found = leak_in(run);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->fix.size(), 2u);
  EXPECT_EQ(found->fix[1], "A smaller batch will not help: it fills after the same 2,469,888 rows.");
}

TEST(MemoryLeak, AttributeOfALibrarysObject) {
  auto run = growing_list();
  run.s.memory_use->holders[0].name = "layer.history";
  run.s.memory_use->added[0] = {"self.history", "/home/ada/layers.py", 6, "self.history.append(y)", true};
  const auto found = leak_in(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->strength, Strength::strong);
  EXPECT_NE(found->claim.find("layers.py:6"), std::string::npos);
}

// ---- not a leak

TEST(MemoryLeak, NotAHolderThatStoodStillWhileSomethingElseGrew) {
  auto run = growing_list();
  run.s.memory_use->holders[0].bytes = 500 * mib;
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, NotADataSetThatIsLarger) {
  MemoryRun run;  // 6 GiB were loaded, then 1 GiB grew elsewhere
  run.limit(8 * gib).curve(200, [](double at) { return at < 2 ? at * 3 * gib : 6.0 * gib + (at - 2) * gib / 9; });
  run.holds("rows", "list", 4000, 6 * gib);
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, NotOneArrayThatIsFilled) {
  auto run = growing_list();
  auto& h = run.s.memory_use->holders[0];
  h.type = "ndarray", h.count = 1;
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, NotABufferWithACapacity) {
  auto run = growing_list();
  run.s.memory_use->holders[0].type = "deque";
  EXPECT_EQ(strength(run), "strong");
  run.s.memory_use->holders[0].capacity = 5000;
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, NotAJump) {
  auto run = growing_list();
  run.curve(120, [](double at) { return at < 11.8 ? 600.0 * mib : 8.0 * gib; });
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, ASawtoothMayBeMeant) {
  auto run = growing_list();
  run.curve(120, [](double at) { return 600.0 * mib + std::fmod(at, 3) * 2.4 * gib; });
  EXPECT_EQ(strength(run), "plausible");  // the last tooth looks like one
}

TEST(MemoryLeak, NotAResultThatALibraryGathers) {
  auto run = growing_list();
  auto& h = run.s.memory_use->holders[0];
  h.name = "outputs", h.own_code = false, h.function = "predict", h.file = "/v/site-packages/keras/trainer.py";
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, NotDataThatIsBeingLoaded) {
  auto run = growing_list();
  run.s.memory_use->added[0].text = "history.append(np.load(path))";
  EXPECT_EQ(strength(run), "plausible");
  run.s.memory_use->added[0].text = "history.append(x)";
  EXPECT_EQ(strength(run), "strong");
  run.s.memory_use->added.clear();
  run.stands("/usr/lib/python3/dist-packages/numpy/lib/format.py", "read_array", 780, nullptr);
  run.stands("/home/ada/train.py", "<module>", 9, "x = np.load(path)");
  EXPECT_EQ(strength(run), "plausible");
}

TEST(MemoryLeak, ACacheThatFillsSlowerAndSlowerMayBeMeant) {
  auto run = growing_list();
  run.s.timeline->steps.clear();
  run.curve(120, [](double at) { return 600.0 * mib + 7.4 * gib * (1 - std::exp(-at / 6)); });
  EXPECT_NE(strength(run), "strong");
}

TEST(MemoryLeak, AModelBeingBuiltMayBeMeant) {
  auto run = growing_list();
  run.s.memory_use->holders[0].elements[0].type = "ResourceVariable";
  run.s.timeline->steps.clear();
  EXPECT_EQ(strength(run), "plausible");
}

TEST(MemoryLeak, NotWithoutReadings) {
  auto run = growing_list();
  run.s.timeline.reset();
  EXPECT_EQ(strength(run), "none");
}

// ---- other kinds

TEST(MemoryLeak, GraphsThatASumKeeps) {
  MemoryRun run;
  run.limit(600 * mib).climbs(200 * mib, 600 * mib).steps("step", 10);
  auto& h = run.holds("total", "Tensor", 1, 4);
  h.keeps_graph = true;
  h.elements.clear();
  run.part(MemoryKind::unnamed_arrays, 390 * mib);
  EXPECT_EQ(strength(run), "plausible");  // `loss` of the step at hand has a graph too
  run.adds("total", "total = total + loss");
  const auto found = leak_in(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->strength, Strength::strong);
  EXPECT_NE(found->fix[0].find(".item()"), std::string::npos);
  run.s.memory_use->added[0].repeats = false;
  EXPECT_EQ(strength(run), "plausible");
}

TEST(MemoryLeak, TracesOfATfFunction) {
  MemoryRun run;
  run.limit(900 * mib).climbs(400 * mib, 900 * mib).steps("i", 17);
  run.part(MemoryKind::heap_in_use, 480 * mib).type("tensorflow.python.eager.ConcreteFunction", 168);
  EXPECT_EQ(strength(run), "strong");
  run.s.timeline->steps.clear();
  EXPECT_EQ(strength(run), "plausible");
  run.stands("/v/tensorflow/python/framework/func_graph.py", "func_graph_from_py_func", 800, nullptr);
  run.stands("/home/ada/train.py", "<module>", 9, "step(x, i * 1e-6)");
  const auto found = leak_in(run);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->strength, Strength::strong);
  EXPECT_EQ(found->claim, "a tf.function is traced anew for every call at train.py:9: 168 graphs are kept");
}

TEST(MemoryLeak, ObjectsInAList) {
  MemoryRun run;
  run.limit(600 * mib).climbs(20 * mib, 600 * mib);
  run.part(MemoryKind::python_objects, 570 * mib).type("dict", 2'000'000);
  auto& h = run.holds("log", "list", 0, 0);
  h.objects = 6'000'000, h.object_bytes = 560 * mib, h.length = 2'000'000;
  EXPECT_EQ(strength(run), "plausible");
  run.adds("log", "log.append({'step': step})");
  EXPECT_EQ(strength(run), "strong");
}

TEST(MemoryLeak, NativeMemoryMayLeak) {
  MemoryRun run;
  run.limit(600 * mib).climbs(20 * mib, 600 * mib);
  run.part(MemoryKind::heap_in_use, 570 * mib);
  EXPECT_EQ(strength(run), "plausible");
}

TEST(MemoryLeak, NotOnePieceOfNativeWorkThatTakesItsTime) {
  MemoryRun run;
  run.limit(2 * gib).curve(260, [](double at) { return at < 22 ? 500.0 * mib : (500 + 375 * (at - 22)) * mib; });
  run.part(MemoryKind::heap_in_use, 1800 * mib);
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, FragmentationIsNotNativeGrowth) {
  MemoryRun run;
  run.limit(600 * mib).climbs(20 * mib, 600 * mib);
  run.part(MemoryKind::heap_free, 500 * mib).part(MemoryKind::heap_in_use, 70 * mib);
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, ThreadStacksAreNotNativeGrowth) {
  MemoryRun run;
  run.limit(600 * mib).climbs(20 * mib, 600 * mib);
  run.part(MemoryKind::thread_stacks, 570 * mib);
  EXPECT_EQ(strength(run), "none");
}

TEST(MemoryLeak, NotTheGrowthOfAnotherProcess) {
  auto run = growing_list();
  auto& all = run.s.timeline->processes;
  all.push_back(all[0]);
  all[1].pid = 101;
  for (auto& bytes : all[0].anonymous_bytes) bytes = 7400 * mib;
  EXPECT_EQ(strength(run), "none");
}

// ---- the curve

TEST(MemoryCurve, WhatWasGivenBackBeforeIsAnotherChapter) {
  MemoryRun run;  // a temporary of 700 MiB, then a climb at a changing speed
  run.curve(80, [](double at) {
    if (at < 5.8) return at * 124 * mib;
    return 400.0 * mib + (at < 6.4 ? 0 : (at - 6.4) * (at - 5.0) * 130 * mib);
  });
  const auto curve = memory_curve(facts_of(run.s));
  ASSERT_TRUE(curve && curve->climb);
  EXPECT_GE(curve->climb->trend.from, 5.8);
}

TEST(MemoryCurve, ReadingsAtTheLimitAreLeftOut) {
  MemoryRun run;
  run.limit(gib).curve(400, [](double at) { return at < 10 ? at * 100 * mib : 1000.0 * mib; });
  auto& t = *run.s.timeline;
  t.limit_bytes = gib;
  for (const auto bytes : t.processes[0].anonymous_bytes) t.group_used_bytes.push_back(bytes + 20 * mib);
  const auto curve = memory_curve(facts_of(run.s));
  ASSERT_TRUE(curve && curve->climb);
  EXPECT_NEAR(curve->climb->trend.per_unit, 100 * mib, 5 * mib);
}

TEST(MemoryCurve, AJumpIsNamed) {
  MemoryRun run;
  run.curve(60, [](double at) { return at < 5.8 ? 100.0 * mib : 900.0 * mib; });
  const auto curve = memory_curve(facts_of(run.s));
  ASSERT_TRUE(curve);
  EXPECT_FALSE(curve->climb);
  EXPECT_EQ(curve->jump_bytes, 800 * mib);
}

}  // namespace sigwhy::diagnose
