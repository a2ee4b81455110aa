// What the kernel's log and a polite signal say, out of the texts that a grab keeps.
#include "capture/develop_bounds.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstring>

namespace sigwhy::capture {

namespace {

Target target_with(std::initializer_list<std::pair<const char*, std::string>> files) {
  Target target;
  target.pid = 4711;
  for (const auto& [name, text] : files) target.files[name] = text;
  return target;
}

TEST(KernelLogLines, GroupAndVictim) {
  const auto bounds = bounds_of(target_with(
      {{"machine_memory", "oom_kill 8\noom_kill_before 7\nMemTotal:       24684100 kB\nMemAvailable:   1000 kB\n"
                          "SwapTotal:       0 kB\nsome avg10=1.00\nfull avg10=12.50 avg60=1\n"},
       {"kernel_log",
        "now 101500000 whole 1 same_pids 1\n"
        "6,668,99000000,-;oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/jobs,"
        "task_memcg=/jobs/17,task=python3,pid=4711,uid=0\n"
        "3,669,99500000,-;Memory cgroup out of memory: Killed process 4711 (python3) total-vm:221356kB, "
        "anon-rss:61056kB, file-rss:6624kB, shmem-rss:0kB, UID:0 pgtables:192kB oom_score_adj:0\n"
        "3,900,100500000,-;Out of memory: Killed process 99 (a) b) total-vm:1kB, anon-rss:1kB\n"}}));
  ASSERT_TRUE(bounds);
  EXPECT_TRUE(bounds->log_was_readable);
  EXPECT_EQ(bounds->machine_oom_kills, 8u);
  EXPECT_EQ(bounds->machine_oom_kills_before, 7u);
  EXPECT_EQ(bounds->machine_bytes, std::uint64_t{24684100} << 10);
  EXPECT_EQ(bounds->swap_bytes, 0u);
  EXPECT_EQ(bounds->stalled_percent, 12.5);
  ASSERT_EQ(bounds->choices.size(), 2u);
  EXPECT_EQ(bounds->choices[0].pid, 4711);
  EXPECT_EQ(bounds->choices[0].command, "python3");
  EXPECT_EQ(bounds->choices[0].limited_by, "/jobs");
  EXPECT_EQ(bounds->choices[0].group, "/jobs/17");
  EXPECT_EQ(bounds->choices[0].resident_bytes, std::uint64_t{61056 + 6624} << 10);
  EXPECT_DOUBLE_EQ(bounds->choices[0].seconds_before, 2);
  EXPECT_EQ(bounds->choices[1].command, "a) b");
  EXPECT_EQ(bounds->choices[1].limited_by, "");
  EXPECT_EQ(bounds->choices[0].for_group, true);
  EXPECT_EQ(bounds->choices[1].for_group, false);
}

TEST(KernelLogLines, WhoseLimitItWasIsSaidInTheVictimsOwnLine) {
  const auto bounds = bounds_of(target_with(
      {{"machine_memory", "x"},
       {"kernel_log",
        "now 1000 whole 1 same_pids 1\n"
        "3,1,1,-;Memory cgroup out of memory: Killed process 1 (a) total-vm:1kB, anon-rss:1kB\n"
        "3,2,2,-;Out of memory (oom_kill_allocating_task): Killed process 2 (b) total-vm:1kB, anon-rss:1kB\n"
        "3,3,3,-;Killed process 3 (c) total-vm:1kB, anon-rss:1kB\n"}}));
  ASSERT_TRUE(bounds && bounds->choices.size() == 3);
  EXPECT_EQ(bounds->choices[0].for_group, true);
  EXPECT_EQ(bounds->choices[0].limited_by, "");  // of many kills in a row the lines that name it are left out
  EXPECT_EQ(bounds->choices[1].for_group, false);
  EXPECT_EQ(bounds->choices[2].for_group, std::nullopt);
}

TEST(KernelLogLines, NonsenseIsNoChoice) {
  const auto bounds = bounds_of(target_with({{"machine_memory", "x"},
                                             {"kernel_log",
                                              "now 1 whole 0 same_pids 0\n;\nKilled process \n"
                                              "1,2,3,-;Killed process 17 (\n\n1,2,3,-;oom-kill:\n"}}));
  ASSERT_TRUE(bounds);
  EXPECT_TRUE(bounds->choices.empty());
  EXPECT_FALSE(bounds->log_was_readable);
  EXPECT_TRUE(bounds->log_has_other_pids);
  EXPECT_FALSE(bounds_of(target_with({})));
}

TEST(AskedBefore, HandledWithSender) {
  siginfo_t info{};
  info.si_signo = SIGTERM;
  info.si_code = SI_USER;
  info.si_pid = 77;
  info.si_uid = 1000;
  std::string text = "30250000 0\n";
  text.append(reinterpret_cast<const char*>(&info), sizeof info);
  const auto asked = asked_before(target_with({{"asked_before", text + "slurmstepd"}}));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->signal_name, "SIGTERM");
  EXPECT_EQ(asked->seconds_before, 30.25);
  EXPECT_EQ(asked->reaction, "handled");
  EXPECT_EQ(asked->sender->pid, 77);
  EXPECT_EQ(asked->sender->uid, 1000);
  EXPECT_EQ(asked->sender->command, "slurmstepd");
}

TEST(AskedBefore, BlockedAndStillPending) {
  const auto asked = asked_before(target_with(
      {{"status", "Name:\tx\nSigPnd:\t0000000000000000\nShdPnd:\t0000000000004000\nSigBlk:\t0000000000004000\n"}}));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->signal_name, "SIGTERM");
  EXPECT_EQ(asked->reaction, "blocked");
  EXPECT_FALSE(asked->seconds_before);
  EXPECT_FALSE(asked_before(target_with({{"status", "Name:\tx\nShdPnd:\t0000000000000100\n"}})));
}

}  // namespace

}  // namespace sigwhy::capture
