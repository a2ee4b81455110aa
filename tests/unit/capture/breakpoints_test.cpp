#include "capture/breakpoints.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace sigwhy::capture {

namespace {

__attribute__((noinline)) int passed(int x) {
  asm volatile("");
  return x + 1;
}

// A child that has stopped itself and is traced; continued, it calls passed() `times` times and exits with 7.
pid_t stopped_child(int times) {
  const pid_t child = fork();
  if (child == 0) {
    raise(SIGSTOP);
    int sum = 0;
    for (int i = 0; i < times; ++i) sum = passed(sum);
    _exit(sum == times ? 7 : 1);
  }
  int status = 0;
  waitpid(child, &status, WUNTRACED);
  ptrace(PTRACE_SEIZE, child, nullptr, nullptr);
  kill(child, SIGCONT);
  ptrace(PTRACE_INTERRUPT, child, nullptr, nullptr);
  waitpid(child, &status, __WALL);
  return child;
}

struct End {
  int hits = 0;
  int status = 0;
};

End let_run(pid_t child, const Breakpoints& breakpoints) {
  End end;
  ptrace(PTRACE_CONT, child, nullptr, 0);
  while (waitpid(child, &end.status, __WALL) == child && WIFSTOPPED(end.status)) {
    siginfo_t info{};
    ptrace(PTRACE_GETSIGINFO, child, nullptr, &info);
    const auto at = breakpoints.hit(child, info);
    if (at) {
      EXPECT_EQ(at->value, reinterpret_cast<std::uint64_t>(&passed));
      ++end.hits;
    }
    const bool event = end.status >> 16;
    ptrace(PTRACE_CONT, child, nullptr, at || event ? 0 : WSTOPSIG(end.status));
  }
  return end;
}

class Manners : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { setenv("SIGWHY_TEST_BREAKPOINTS", GetParam(), 1); }
  void TearDown() override { unsetenv("SIGWHY_TEST_BREAKPOINTS"); }

  const Address there{reinterpret_cast<std::uint64_t>(&passed)};
  ArmedThreads* table = ArmedThreads::make();
};

}  // namespace

TEST_P(Manners, EveryPassIsOneHit) {
  Breakpoints breakpoints(table);
  const pid_t child = stopped_child(5);
  ASSERT_TRUE(breakpoints.arm(child, {&there, 1}, true));
  const End end = let_run(child, breakpoints);
  EXPECT_EQ(end.hits, 5);
  EXPECT_EQ(WEXITSTATUS(end.status), 7);
}

TEST_P(Manners, DisarmedItRunsThrough) {
  Breakpoints breakpoints(table);
  const pid_t child = stopped_child(5);
  ASSERT_TRUE(breakpoints.arm(child, {&there, 1}, true));
  breakpoints.disarm(child);
  EXPECT_EQ(let_run(child, breakpoints).hits, 0);
}

TEST_P(Manners, LettingGoOfARunningThread) {
  Breakpoints breakpoints(table);
  const pid_t child = stopped_child(1000);
  ASSERT_TRUE(breakpoints.arm(child, {&there, 1}, true));
  ptrace(PTRACE_CONT, child, nullptr, 0);
  breakpoints.disarm_all();
  ptrace(PTRACE_DETACH, child, nullptr, 0);
  int status = 0;
  while (waitpid(child, &status, __WALL) == child && WIFSTOPPED(status)) ptrace(PTRACE_CONT, child, nullptr, 0);
  EXPECT_EQ(WEXITSTATUS(status), 7) << status;
}

INSTANTIATE_TEST_SUITE_P(Breakpoints, Manners, testing::Values("descriptors", "registers"));

TEST(Breakpoints, NoRegistersWithoutSomebodyToUndoThem) {
  setenv("SIGWHY_TEST_BREAKPOINTS", "registers", 1);
  Breakpoints breakpoints(nullptr);
  const pid_t child = stopped_child(1);
  const Address there{reinterpret_cast<std::uint64_t>(&passed)};
  EXPECT_FALSE(breakpoints.arm(child, {&there, 1}, true));
  unsetenv("SIGWHY_TEST_BREAKPOINTS");
  kill(child, SIGKILL);
  waitpid(child, nullptr, __WALL);
}

TEST(Breakpoints, AFullTableIsARefusal) {
  ArmedThreads* table = ArmedThreads::make();
  int added = 0;
  while (added < 100000 && table->add(added + 1)) ++added;
  EXPECT_LT(added, 100000);
  table->remove(1);
  EXPECT_TRUE(table->add(added + 1));
}

}  // namespace sigwhy::capture
