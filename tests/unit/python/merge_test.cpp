// Native calls of the interpreter's loop counted off against runs of Python frames.
#include "python/merge.h"

#include <gtest/gtest.h>

namespace sigwhy::python {

namespace {

constexpr std::string_view loop = "_PyEval_EvalFrameDefault";

Frame native(std::string symbol, Trust trust = Trust::cfi) { return {.trust = trust, .symbol = std::move(symbol)}; }

Frame loop_frame() { return native(std::string(loop)); }

// Runs of so many frames each.
Runs runs_of(std::initializer_list<int> counts) {
  Runs runs;
  for (const int count : counts) {
    for (int i = 0; i < count; ++i) runs.frame();
    runs.end();
  }
  return runs;
}

// "2@0 1@3": the count and first frame of each native frame that runs Python, innermost first; "-" for none.
std::string merged(Thread thread, const Runs& runs, std::size_t frames = 64) {
  std::vector<Gap> gaps;
  thread.python.resize(frames);
  merge(thread, runs, loop, gaps);
  std::string text;
  for (const Frame& frame : thread.frames)
    if (frame.python) text += std::to_string(frame.python->count) + "@" + std::to_string(frame.python->first) + " ";
  return text.empty() ? "-" : text;
}

}  // namespace

TEST(Merge, EachCallOfTheLoopGetsItsRun) {
  Thread t{.frames = {native("kill"), loop_frame(), native("gen_iternext"), loop_frame(), native("_start")}};
  EXPECT_EQ(merged(t, runs_of({3, 1})), "3@0 1@3 ");
  EXPECT_EQ(merged(t, runs_of({0, 2})), "2@0 ") << "a loop whose frame is gone runs none";
}

TEST(Merge, APartThatTheCompilerMovedAwayIsTheLoopToo) {
  Thread t{.frames = {native("_PyEval_EvalFrameDefault.cold"), loop_frame(), native("clone3")}};
  EXPECT_EQ(merged(t, runs_of({1, 1})), "1@0 1@1 ");
  t.frames[0].symbol = "_PyEval_EvalFrameDefaultish";
  EXPECT_EQ(merged(t, runs_of({1})), "1@0 ");
}

TEST(Merge, SaysNothingWhereTheCountsDoNotFit) {
  Thread t{.frames = {loop_frame(), loop_frame(), native("_start")}};
  EXPECT_EQ(merged(t, runs_of({1})), "-");
  EXPECT_EQ(merged(t, runs_of({1, 1, 1})), "-");
  EXPECT_EQ(merged(t, runs_of({1, 1})), "1@0 1@1 ");
}

TEST(Merge, ANativeStackThatWasCutIsCountedFromItsInnermost) {
  Thread t{.frames = {loop_frame(), native("f"), loop_frame()}};
  EXPECT_EQ(merged(t, runs_of({2, 1, 5, 1})), "2@0 1@2 ");
  EXPECT_EQ(merged(t, runs_of({2})), "-") << "more calls than runs";
}

TEST(Merge, WhatRestsOnAGuessIsLeftAlone) {
  Thread t{.frames = {loop_frame(), native(std::string(loop), Trust::scan), native("_start")}};
  EXPECT_EQ(merged(t, runs_of({1, 1})), "1@0 ");
}

TEST(Merge, FoldedRepetitionsAreCountedAndNotShown) {
  Thread t{.frames = {native("kill"), loop_frame(), native("f"), loop_frame(), native("_start")},
           .repetition = Repetition{.first = 1, .period = 2, .times = 4}};
  EXPECT_EQ(merged(t, runs_of({1, 1, 1, 1, 1})), "1@0 1@4 ");
  EXPECT_EQ(merged(t, runs_of({1, 1, 1, 1})), "-");
}

TEST(Merge, FramesLeftOutKeepTheirPlace) {
  Runs runs = runs_of({1, 1});
  runs.frame();
  runs.leave_out({.frames = 10, .runs = 3});
  runs.frame();
  runs.end();
  // two, one cut short, two unseen, one
  EXPECT_EQ(runs.all().size(), 6u);
  EXPECT_EQ(runs.entries(), (std::vector<std::size_t>{0, 1, 3}));
  Thread t{.frames = std::vector<Frame>(6, loop_frame())};
  t.frames.push_back(native("_start"));
  EXPECT_EQ(merged(t, runs), "1@0 1@1 1@2 1@3 ");
}

TEST(Merge, FramesLeftOutInsideOneRunStayInIt) {
  Runs runs;
  runs.frame();
  runs.leave_out({.frames = 10, .runs = 0});
  runs.frame();
  runs.end();
  Thread t{.died = true, .frames = {loop_frame(), native("_start")}};
  EXPECT_EQ(merged(t, runs), "2@0 ");
  std::vector<Gap> gaps;
  t.python.resize(2);
  merge(t, runs, loop, gaps);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].what, "10 Python frames of the thread that died");
  EXPECT_FALSE(t.python[0].entry);
  EXPECT_TRUE(t.python[1].entry);
}

TEST(Merge, AnAddressOnTheStackNeedsNoName) {
  Thread t{.frames = {native("kill"), native(""), native("f"), native("g"), native("_start")}};
  for (std::size_t i = 0; i < t.frames.size(); ++i) t.frames[i].stack_pointer = Address{0x1000 + i * 0x100};
  Runs runs;
  runs.frame();
  runs.frame();
  runs.end(Address{0x1180});
  runs.frame();
  runs.end(Address{0x1300});
  EXPECT_EQ(merged(t, runs), "2@0 1@2 ");
  Thread none = t;
  none.frames[2].trust = Trust::scan;
  EXPECT_EQ(merged(none, runs), "-") << "a guess";
  Runs backwards;
  backwards.frame();
  backwards.end(Address{0x1300});
  backwards.frame();
  backwards.end(Address{0x1180});
  EXPECT_EQ(merged(t, backwards), "-");
}

TEST(Merge, AChainTooLongToCountIsMergedAtItsInnerEnd) {
  Runs runs = runs_of({1});
  runs.frame();
  runs.leave_out({.frames = 9000, .runs = 9000, .outer_too = true});
  Thread t{.frames = {loop_frame(), loop_frame(), loop_frame(), native("_start")}};
  EXPECT_EQ(merged(t, runs), "1@0 1@1 ");
}

}  // namespace sigwhy::python
