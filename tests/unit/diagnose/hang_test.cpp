// Programs that hung: who waits for whom.
#include <gtest/gtest.h>
#include <linux/futex.h>

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

// A worker's turn at the queue of its pool: the lock lies in memory that processes share.
TEST(Deadlock, NotForALockThatProcessesShare) {
  Snapshot s = hung();
  s.threads = {waiting(100, "futex", "get")};
  s.threads[0].registers = {{"rdi", {0x7f0000000000}}, {"rsi", {FUTEX_WAIT_BITSET}}, {"r10", {0}}};
  EXPECT_EQ(verdict(s), "unknown");
  s.threads[0].registers["rsi"] = {FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG};
  EXPECT_EQ(verdict(s), "deadlock");
  s.threads[0].registers["r10"] = {0x7ffc00000000};  // it ends by itself
  EXPECT_EQ(verdict(s), "unknown");
}

std::string fix(const Snapshot& s) { return diagnose(s).findings.at(0).fix.at(0); }

TEST(Deadlock, SaysWhatItSees) {
  Snapshot s = hung();
  s.threads = {waiting(100, "futex", "main")};
  EXPECT_NE(fix(s).find("RLock"), std::string::npos);
  s.threads.push_back(waiting(101, "futex", "trainer"));
  EXPECT_NE(fix(s).find("same order"), std::string::npos);
  s.threads = {waiting(100, "futex", "Condition.wait", "/usr/lib/python3.11/threading.py")};
  s.threads[0].python.push_back({.file = "/usr/lib/python3.11/queue.py", .function = "Queue.join", .line = 90});
  s.threads[0].python.push_back({.file = "/home/ada/nets/train.py", .function = "<module>", .line = 12});
  EXPECT_NE(fix(s).find("task_done() never came"), std::string::npos) << fix(s);
}

TEST(Deadlock, AWorkerThatIsGone) {
  Snapshot s = hung();
  s.process.command = "python";
  s.threads = {waiting(100, "futex", "map"), waiting(101, "read", "handle_results")};
  EXPECT_EQ(verdict(s), "unknown");
  s.process.tree.push_back({.pid = 110, .parent = 100, .command = "python"});
  s.process.tree[0].ended = Termination{.kind = TerminationKind::exited, .exit_code = 0};
  EXPECT_EQ(verdict(s), "unknown");
  s.process.tree[0].ended->exit_code = 7;
  EXPECT_EQ(verdict(s), "deadlock");
  EXPECT_EQ(diagnose(s).findings[0].strength, Strength::plausible);
  EXPECT_NE(diagnose(s).findings[0].claim.find("(python, process 110) exited with 7"), std::string::npos);
  s.process.tree[0].command = "grep";  // no worker of its own
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

TEST(Deadlock, TheGilAndAnotherLock) {
  Snapshot s = hung();
  s.threads = {waiting(100, "futex", "look"), waiting(101, "futex", "publish")};
  s.threads[1].registers = {{"rdi", {0x7f0000000000}}, {"rsi", {FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG}}, {"r10", {0x7ffc00000000}}};
  EXPECT_EQ(verdict(s), "unknown");
  s.threads[0].gil = GilState::holds;
  s.threads[1].gil = GilState::waits;
  EXPECT_EQ(verdict(s), "deadlock");
  s.threads[0].system_call = "read";  // the data may come
  EXPECT_EQ(verdict(s), "unknown");
}

Snapshot tree_of_two() {
  Snapshot s = hung();
  s.process.command = "python3";
  s.process.tree = {{.pid = 101, .parent = 100, .command = "seq"}};
  s.threads = {waiting(100, "wait4", "main")};
  s.termination.hang->waits = {{.pid = 100, .tid = 100, .what = AwaitedThing::child, .enders = {101}},
                               {.pid = 101, .tid = 101, .what = AwaitedThing::pipe_room, .enders = {100}}};
  return s;
}

TEST(Deadlock, ProcessesThatWaitForEachOther) {
  const Snapshot s = tree_of_two();
  EXPECT_EQ(verdict(s), "deadlock");
  EXPECT_EQ(diagnose(s).findings[0].claim,
            "seq (101) writes to a pipe that is full, and it could be read only by python3 (100), which waits for it to end");
}

TEST(Deadlock, NotWhereOneOfThemMayBeWokenFromElsewhere) {
  Snapshot s = tree_of_two();
  s.termination.hang->waits.push_back({.pid = 100, .tid = 102});  // perhaps it is the one that reads
  EXPECT_EQ(verdict(s), "unknown");
  s = tree_of_two();
  s.termination.hang->waits[1].enders = {100, 7};  // somebody outside has the pipe too
  EXPECT_EQ(verdict(s), "unknown");
  s = tree_of_two();
  s.termination.hang->waits.clear();
  EXPECT_EQ(verdict(s), "unknown");
}

TEST(Deadlock, AFileLockIsContentionWhereAStrangerHoldsIt) {
  Snapshot s = tree_of_two();
  s.termination.hang->waits[1] = {.pid = 101, .tid = 101, .what = AwaitedThing::file_lock, .file = "/data/steps.lock", .enders = {100}};
  EXPECT_EQ(verdict(s), "deadlock");
  s.termination.hang->waits[1].enders = {7};
  EXPECT_EQ(verdict(s), "file-contention");
}

}  // namespace sigwhy::diagnose
