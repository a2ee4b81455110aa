// Signals that somebody sent, limits, and ends without a signal.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

TEST(KilledByProcess, NamesTheSender) {
  Build b;
  b.sent(SIGTERM, 77, SenderRelation::parent);
  b.s.termination.sender->command = "bash";
  EXPECT_EQ(verdict(b), "killed-by-process proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim, "its parent bash (process 77) sent it SIG15");
}

TEST(KilledByProcess, ASentSegfaultIsNoFault) {
  Build b;
  b.frames({{"f", app}}).sent(SIGSEGV, 77, SenderRelation::other);
  b.reads(8, 0).base("rax", 0);
  EXPECT_EQ(verdict(b), "killed-by-process proven");
}

TEST(KilledByProcess, AskedAndExited) {
  Build b;
  b.sent(SIGTERM, 77, SenderRelation::other);
  b.s.termination.kind = TerminationKind::exited;
  b.s.termination.exit_code = 143;
  EXPECT_EQ(verdict(b), "killed-by-process strong");
  b.s.termination.exit_code = 1;
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(KilledByProcess, EndedWhileItWaitedForALock) {
  Build b;
  b.sent(SIGINT, 77, SenderRelation::other);
  PythonFrame frame{.file = "/home/u/fit.py", .function = "step", .line = 9, .text = "with guard:"};
  b.s.python_exceptions.push_back({.type = "KeyboardInterrupt", .traceback = {frame}});
  EXPECT_EQ(verdict(b), "killed-by-process proven");  // any context manager begins with this word
  b.s.python_exceptions[0].traceback[0].values.push_back({.name = "guard", .type = "lock"});
  EXPECT_EQ(verdict(b), "killed-by-process strong");
  EXPECT_EQ(b.diagnosis().findings[0].rival, "it was ended because it hung: it was waiting at fit.py:9");
}

TEST(KilledByProcess, NotItselfNorTheKernel) {
  Build itself;
  itself.sent(SIGTERM, 100, SenderRelation::itself);
  EXPECT_EQ(verdict(itself), "unknown");
  EXPECT_EQ(itself.diagnosis().certain[0], "the program sent SIG15 to itself");
  Build kernel;
  kernel.signal(SIGTERM, 128);
  EXPECT_EQ(verdict(kernel), "unknown");
}

TEST(KilledByUser, ControlCAndClosedTerminal) {
  Build b;
  b.signal(SIGINT, 128);
  EXPECT_EQ(verdict(b), "killed-by-user proven");
  Build hup;
  hup.signal(SIGHUP, 128);
  EXPECT_EQ(verdict(hup), "killed-by-user proven");
}

TEST(KilledByUser, NotWhenSent) {
  Build b;
  b.sent(SIGINT, 77, SenderRelation::other);
  EXPECT_EQ(verdict(b), "killed-by-process proven");
  Build segv;
  segv.frames({{"f", app}}).signal(SIGSEGV, 128);
  EXPECT_EQ(found(segv.diagnosis(), Cause::killed_by_user), nullptr);
}

TEST(TimeLimit, CpuTimeAndAlarm) {
  Build cpu;
  cpu.signal(SIGXCPU, 128).limit("cpu-time", 10);
  EXPECT_EQ(verdict(cpu), "time-limit proven");
  Build alarm;
  alarm.signal(SIGALRM, 128);
  EXPECT_EQ(verdict(alarm), "time-limit proven");
}

TEST(TimeLimit, HardLimitKillsWithoutASender) {
  Build b;
  b.signal(SIGKILL, 0).limit("cpu-time", 10);
  b.s.termination.code.reset();
  b.s.process.limits[0].hard = 10;
  b.s.termination.after_seconds = 10.2;
  EXPECT_EQ(verdict(b), "time-limit strong");
  b.s.termination.after_seconds = 5;
  EXPECT_EQ(verdict(b), "unknown");
  b.s.termination.cpu_seconds = 10.1;  // of several threads
  EXPECT_EQ(verdict(b), "time-limit strong");
  b.s.termination.after_seconds = 60;  // on a machine that is busy with others
  EXPECT_EQ(verdict(b), "time-limit strong");
  b.s.termination.cpu_seconds = 9.9;
  EXPECT_EQ(verdict(b), "unknown");
  b.s.termination.sender = Sender{.relation = SenderRelation::kernel};  // it counts in ticks
  EXPECT_EQ(verdict(b), "time-limit strong");
  b.s.termination.cpu_seconds = 3;
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(TimeLimit, TimeoutExplainsTheKill) {
  Build b;
  b.sent(SIGTERM, 77, SenderRelation::parent);
  b.s.termination.sender->command = "timeout";
  EXPECT_EQ(verdict(b), "time-limit strong");
  EXPECT_NE(found(b.diagnosis(), Cause::killed_by_process), nullptr);
}

TEST(TimeLimit, NotWhenAnotherProcessSentIt) {
  Build b;
  b.sent(SIGALRM, 77, SenderRelation::other);
  EXPECT_EQ(verdict(b), "killed-by-process proven");
  Build cpu;
  cpu.sent(SIGXCPU, 77, SenderRelation::other).limit("cpu-time", 10);
  EXPECT_EQ(verdict(cpu), "killed-by-process proven");
}

TEST(ResourceLimit, FileSize) {
  Build b;
  b.sent(SIGXFSZ, 100, SenderRelation::itself).limit("file-size", 4096);
  EXPECT_EQ(verdict(b), "resource-limit proven");
}

TEST(ResourceLimit, Threads) {
  Build b;
  b.frames({{"raise", libc},
            {"abort", libc},
            {"tsl::internal::LogMessageFatal::~LogMessageFatal()", torch},
            {"tsl::PosixEnv::StartThread()", torch}})
      .aborts();
  b.text(TextKind::failed_check,
         "env.cc:74: Check failed: ret == 0 (11 vs. 0)Thread x creation via pthread_create() failed.")
      .limit("address-space", 64 << 20);
  EXPECT_EQ(verdict(b), "resource-limit strong");
}

TEST(ResourceLimit, NotWhenSentNorForOtherErrors) {
  Build b;
  b.sent(SIGXFSZ, 77, SenderRelation::other).limit("file-size", 4096);
  EXPECT_EQ(verdict(b), "killed-by-process proven");
  Build error;
  error.frames({{"raise", libc}, {"abort", libc}, {"std::terminate()", cpp}, {"f", app}})
      .aborts()
      .exception("std::system_error", "No such file");
  EXPECT_EQ(found(error.diagnosis(), Cause::resource_limit), nullptr);
}

TEST(Unknown, SaysWhatIsCertain) {
  Build pipe;
  pipe.sent(SIGPIPE, 100, SenderRelation::itself);
  EXPECT_EQ(verdict(pipe), "unknown");
  EXPECT_EQ(pipe.diagnosis().certain[0], "it got SIGPIPE, as does who writes to a pipe or socket that nobody reads");
  Build seccomp;
  seccomp.signal(SIGSYS, 1);
  EXPECT_EQ(verdict(seccomp), "unknown");
  EXPECT_NE(seccomp.diagnosis().certain[0].find("seccomp"), std::string::npos);
  Build kill;
  kill.signal(SIGKILL, 0);
  kill.s.termination.code.reset();
  EXPECT_EQ(verdict(kill), "unknown");
}

TEST(Exit, CleanAndPlain) {
  Build b;
  b.s.termination = {.kind = TerminationKind::exited, .exit_code = 0};
  EXPECT_EQ(verdict(b), "clean-exit");
  b.s.termination.exit_code = 3;
  EXPECT_EQ(verdict(b), "unknown");
  EXPECT_TRUE(b.diagnosis().findings.empty());
}

TEST(Exit, AfterAHandledFaultTheFaultCounts) {
  Build b;
  b.frames({{"f", app}}).reads(8, 0x18).base("rax", 0, 0x18);
  b.s.termination.kind = TerminationKind::exited;
  b.s.termination.exit_code = 2;
  EXPECT_EQ(verdict(b), "unknown");
  b.s.termination.handled_first = true;
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

}  // namespace sigwhy::diagnose
