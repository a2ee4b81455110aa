// Searches over programs that are only imagined: what is said, and in how many runs.
#include "experiment/bisect.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "experiment/stress.h"

namespace sigwhy::experiment {
namespace {

Trial ended(int status, Cause cause = Cause::unknown) {
  Trial trial;
  trial.wait_status = status;
  auto& end = trial.result.snapshot.termination;
  end.kind = status < 256 && status ? TerminationKind::signalled : TerminationKind::exited;
  if (end.kind == TerminationKind::exited) {
    end.exit_code = status >> 8;
  } else {
    end.signal = status;
    end.signal_name = "SIGSEGV";
  }
  trial.result.diagnosis.verdict = cause;
  if (cause != Cause::unknown)
    trial.result.diagnosis.findings.push_back({.cause = cause, .claim = "a claim", .strength = Strength::proven});
  return trial;
}

constexpr int segmentation_fault = 11, exit_3 = 3 << 8;

// `dies` is asked with the last word of the command.
SearchWish imagined(std::function<Trial(const std::string&)> run) {
  SearchWish wish;
  wish.recipe.argv = {"program", "{n}"};
  wish.trial = [run = std::move(run)](const Recipe&, const Change& change, const Bounds&) -> Result<Trial> {
    return run(change.argv->back());
  };
  return wish;
}

SearchWish above(int boundary) {
  return imagined([=](const std::string& value) {
    return std::stoi(value) > boundary ? ended(segmentation_fault, Cause::null_pointer) : ended(0);
  });
}

TEST(Bisect, SaysTheBoundaryAndItsCause) {
  const auto found = bisect(above(384), *parse_over("n=1..4096"), false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->said, "n 384 survives, 385 dies of SIGSEGV");
  EXPECT_TRUE(found->answered);
  ASSERT_TRUE(found->death);
  EXPECT_EQ(found->death->cause, Cause::null_pointer);
  EXPECT_EQ(found->death->claim, "a claim");
  EXPECT_LE(found->runs, 20u);
  EXPECT_TRUE(found->notes.empty());
}

TEST(Bisect, BothEnds) {
  EXPECT_EQ(bisect(above(5000), *parse_over("n=1..4096"), false)->said,
            "n from 1 to 4096 survives: no value that was tried dies");
  EXPECT_EQ(bisect(above(0), *parse_over("n=1..4096"), false)->said,
            "n 1 dies of SIGSEGV, and that is the harmless end: none is known to survive");
}

TEST(Bisect, MemoryIsForeseen) {
  auto wish = imagined([](const std::string& value) {
    const auto need = 500'000'000ull + 19'818'086ull * std::stoull(value);
    auto trial = need > (8ull << 30) ? ended(9, Cause::out_of_memory_killed) : ended(0);
    trial.peak_bytes = need;
    return trial;
  });
  wish.change.memory_bytes = 8ull << 30;
  const auto found = bisect(wish, *parse_over("n=1..65536"), false);
  EXPECT_EQ(found->said, "n 408 survives, 409 is killed at 8 GiB; 18.9 MiB each");
  EXPECT_LE(found->runs, 12u);
}

TEST(Bisect, AnOutcomeThatTurnsTwiceIsSaid) {
  const auto found = bisect(imagined([](const std::string& value) {
                              const int n = std::stoi(value);
                              return ended(n > 40 || n == 1 ? exit_3 : 0);
                            }),
                            *parse_over("n=1..64"), false);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->survives, "40");
  ASSERT_EQ(found->notes.size(), 1u);
  EXPECT_EQ(found->notes[0], "not in order: 1 died 3 of 3 times though it is smaller than 40");
}

TEST(Bisect, ALongListIsBisected) {
  std::string list = "v=";
  for (int i = 0; i < 100; ++i) list += std::to_string(i) + ",";
  auto wish = above(70);
  wish.recipe.argv = {"program", "{v}"};
  const auto found = bisect(wish, *parse_over(list), false);
  EXPECT_EQ(found->survives, "70");
  EXPECT_LE(found->runs, 14u);
}

TEST(Bisect, AHangIsADeathAndAnErrorOfOursIsNot) {
  const auto hanging = imagined([](const std::string& value) {
    if (value == "1") return ended(0);
    Trial trial;
    trial.timed_out = true;
    return trial;
  });
  EXPECT_EQ(bisect(hanging, *parse_over("n=1,2"), false)->said, "1 survives, 2 hangs");
  auto broken = above(1);
  broken.trial = [](const Recipe&, const Change&, const Bounds&) -> Result<Trial> { return failure("no layer"); };
  EXPECT_EQ(bisect(broken, *parse_over("n=1,2"), false).error().what, "no layer");
}

TEST(Bisect, AMistypedCommandIsNoDeath) {
  const auto wish = imagined([](const std::string&) {
    auto trial = ended(127 << 8);
    trial.output_tail = "sigwhy: command not found: pyton\n";
    return trial;
  });
  EXPECT_EQ(bisect(wish, *parse_over("n=1..9"), false).error().what, "command not found: pyton");
}

TEST(Stress, EveryCombinationIsTried) {
  auto wish = imagined([](const std::string& value) { return ended(value == "7 2" ? segmentation_fault : 0); });
  wish.recipe.argv = {"program", "{size} {threads}"};
  wish.votes = 2;
  const auto found = stress(wish, {{"1", "7"}, {"1", "2"}});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->said, "1 of 4 combinations dies");
  EXPECT_EQ(found->runs, 7u);
  EXPECT_EQ(found->tried.back().value, "size 7, 2 threads");
}

}  // namespace
}  // namespace sigwhy::experiment
