#include "capture/develop_standstill.h"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include <string>

namespace sigwhy::capture {
namespace {

std::string thread(int pid, int parent, int call, unsigned long first = 0, unsigned long second = 0, unsigned long fourth = 0) {
  char text[128];
  snprintf(text, sizeof text, "thread %d %d %d %d %lx %lx %lx\n", pid, parent, pid, call, first, second, fourth);
  return text;
}

using Pids = std::vector<std::int64_t>;

TEST(Standstill, AFullPipeAndWhoCouldReadIt) {
  const auto waits = waits_in(thread(10, 1, SYS_wait4, 11) + thread(11, 10, SYS_write, 1) +
                              "pipe 10 3 77 00\npipe 11 1 77 01\npipe 10 4 78 00\nend\n");
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(waits[0].what, AwaitedThing::child);
  EXPECT_EQ(waits[0].enders, Pids{11});
  EXPECT_EQ(waits[1].what, AwaitedThing::pipe_room);
  EXPECT_EQ(waits[1].enders, Pids{10});
}

TEST(Standstill, AnotherProcessThanTheTreeMayHoldAPipesEnd) {
  const auto waits = waits_in(thread(10, 5, SYS_read, 0) + "pipe 10 0 77 00\npipe 10 9 77 02\npipe 5 3 77 01\nend\n");
  EXPECT_EQ(waits.at(0).what, AwaitedThing::pipe_data);
  EXPECT_EQ(waits.at(0).enders, (Pids{5, 10}));
}

TEST(Standstill, WhatIsNoPipeMayBeEndedByAnybody) {
  const auto waits = waits_in(thread(10, 1, SYS_read, 0) + thread(11, 1, SYS_poll) + thread(12, 1, -1) + "end\n");
  for (const auto& wait : waits) EXPECT_EQ(wait.what, AwaitedThing::other);
}

TEST(Standstill, LocksOfOneProcessOfSeveralAndWithATimeLimit) {
  constexpr auto own = FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG;
  const auto waits = waits_in(thread(10, 1, SYS_futex, 0x1000, own) + thread(11, 1, SYS_futex, 0x1000, own, 0x7ff0) +
                              thread(12, 1, SYS_futex, 0x1000, FUTEX_WAIT) + "memory 12 12 rw-s /dev/shm/sem.a (deleted)\n" +
                              thread(13, 1, SYS_futex, 0x1000, FUTEX_WAIT) + "memory 13 13 rw-s /dev/shm/sem.b\n" +
                              thread(14, 1, SYS_futex, 0x1000, FUTEX_WAIT) + "memory 14 14 rw-p \n" + "end\n");
  ASSERT_EQ(waits.size(), 5u);
  EXPECT_EQ(waits[0].what, AwaitedThing::lock);
  EXPECT_EQ(waits[1].what, AwaitedThing::other);
  EXPECT_EQ(waits[2].what, AwaitedThing::shared_lock);
  EXPECT_EQ(waits[2].enders, (Pids{10, 11, 12, 13, 14}));
  EXPECT_EQ(waits[3].what, AwaitedThing::other);
  EXPECT_EQ(waits[4].what, AwaitedThing::lock);
}

TEST(Standstill, TheLockOnAFileIsThatOfTheLineInFront) {
  const auto waits = waits_in(thread(10, 1, SYS_flock, 4) + "file 10 10 /data/steps.lock\n"
                              "lock 1: POSIX  ADVISORY  WRITE 400 00:1a:11 0 EOF\n"
                              "lock 2: FLOCK  ADVISORY  WRITE 500 00:1a:12 0 EOF\n"
                              "lock 2: -> FLOCK  ADVISORY  WRITE 10 00:1a:12 0 EOF\nend\n");
  EXPECT_EQ(waits.at(0).what, AwaitedThing::file_lock);
  EXPECT_EQ(waits.at(0).enders, Pids{500});
  EXPECT_EQ(waits.at(0).file, "/data/steps.lock");
}

TEST(Standstill, WhereSomethingWasLeftOutNothingIsSaid) {
  EXPECT_TRUE(waits_in(thread(10, 1, SYS_wait4, 11)).empty());
  EXPECT_TRUE(waits_in("").empty());
}

}  // namespace
}  // namespace sigwhy::capture
