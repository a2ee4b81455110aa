// Programs that hung: who waits for whom.
#include <gtest/gtest.h>

#include "diagnose/diagnose.h"
#include "evidence/names.h"

namespace sigwhy::diagnose {

namespace {

Thread waiting(std::int64_t tid, const char* call, const char* function, const char* file = "/home/ada/nets/train.py") {
  Thread t{.tid = tid, .name = "python", .on_cpu = false, .system_call = call};
  if (function) t.python.push_back({.file = file, .function = function, .line = 7});
  return t;
}

Snapshot hung() {
  Snapshot s;
  s.process = {.pid = 100, .thread_count = 1};
  s.termination = {.kind = TerminationKind::hung, .hang = Hang{.still_seconds = 8}};
  return s;
}

std::string verdict(const Snapshot& s) { return std::string(to_name(diagnose(s).verdict)); }

}  // namespace

TEST(Deadlock, AllWaitForLocks) {
  Snapshot s = hung();
  s.threads = {waiting(100, "futex", "join"), waiting(101, "futex", "trainer"), waiting(102, "futex", "logger")};
  s.threads.push_back(waiting(103, "epoll_wait", nullptr));  // an idle thread of a library
  EXPECT_EQ(verdict(s), "deadlock");
  EXPECT_NE(diagnose(s).findings[0].claim.find("trainer() train.py:7"), std::string::npos);
}

TEST(Deadlock, NotWhereSomethingMayStillWakeThem) {
  Snapshot s = hung();
  s.threads = {waiting(100, "futex", "join"), waiting(101, "recvfrom", "download")};
  EXPECT_EQ(verdict(s), "unknown");
  s.threads = {waiting(100, "poll", "serve")};
  EXPECT_EQ(verdict(s), "unknown");
  s.threads = {waiting(100, "futex", "join"), waiting(101, "futex", "work")};
  s.threads[1].on_cpu = true;
  EXPECT_EQ(verdict(s), "unknown");
}

TEST(ForkAfterThreads, TheHolderWasNotCopied) {
  Snapshot s = hung();
  s.termination.hang->forked_from = 90;
  s.termination.hang->parent_threads = 2;
  s.threads = {waiting(100, "futex", "worker")};
  EXPECT_EQ(verdict(s), "fork-after-threads");
  s.termination.hang->parent_threads = 1;
  EXPECT_EQ(verdict(s), "deadlock");
}

TEST(ForkAfterThreads, NotOfAWorkerWithoutWork) {
  Snapshot s = hung();
  s.termination.hang->forked_from = 90;
  s.termination.hang->parent_threads = 2;
  s.threads = {waiting(100, "futex", "get", "/usr/lib/python3.11/multiprocessing/queues.py")};
  EXPECT_NE(verdict(s), "fork-after-threads");
}

}  // namespace sigwhy::diagnose
