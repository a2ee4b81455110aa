// SIGKILL: the kernel for memory, another process, a scheduler. Each with the similar one where it must not speak.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t mib = 1u << 20;

// Killed; the process (100) was alone in /job_17, whose limit is 64 MiB.
Build killed(std::uint64_t kills = 1) {
  Build b;
  b.signal(SIGKILL, 0);
  b.s.termination.code.reset();
  b.s.termination.signal_name = "SIGKILL";
  MemoryBounds bounds{.machine_bytes = 4096 * mib,
                      .available_bytes = 3000 * mib,
                      .machine_oom_kills_before = 5,
                      .machine_oom_kills = 5 + kills};
  bounds.groups.push_back({.path = "/job_17",
                           .version = 1,
                           .limit_bytes = 64 * mib,
                           .used_bytes = 63 * mib,
                           .peak_bytes = 64 * mib,
                           .oom_kills_before = 0,
                           .oom_kills = kills,
                           .limit_hits_before = 0,
                           .limit_hits = 90});
  bounds.groups.push_back({.path = "/", .version = 1, .oom_kills_before = 0, .oom_kills = 0});
  bounds.window = KillWindow{.seconds = 3, .gone = 0, .strangers = 0};
  b.s.memory_bounds = bounds;
  return b;
}

void log_names(Build& b, std::int64_t pid, const char* limited_by = "/job_17") {
  b.s.memory_bounds->log_was_readable = true;
  b.s.memory_bounds->choices.push_back(
      {.pid = pid, .command = "hog", .limited_by = limited_by, .group = "/job_17", .resident_bytes = 60 * mib});
}

Build by_sender(const char* command, SenderRelation relation = SenderRelation::other) {
  Build b = killed(0);
  b.s.termination.code = SI_USER;
  b.s.termination.sender = Sender{.pid = 77, .relation = relation, .command = command};
  return b;
}

void asked(Build& b, const char* command, std::int64_t pid = 77) {
  b.s.termination.asked_before = AskedBefore{.signal = SIGTERM, .signal_name = "SIGTERM", .seconds_before = 10,
                                             .reaction = "handled", .sender = Sender{.pid = pid}};
  if (*command) b.s.termination.asked_before->sender->command = command;
}

std::string claim(Build& b) { return b.diagnosis().findings[0].claim; }

// Nobody saw the end; the same counters, read when somebody asked.
Build lost(std::uint64_t kills = 1) {
  Build b = killed(kills);
  b.s.termination = {.kind = TerminationKind::lost, .after_seconds = 12};
  b.s.memory_bounds->window.reset();
  b.s.process.command = "hog";
  return b;
}

std::optional<Strength> strength(Build& b) {
  for (const auto& f : b.diagnosis().findings)
    if (f.cause == Cause::out_of_memory_killed) return f.strength;
  return std::nullopt;
}

TEST(LostRun, TheLogNamesIt) {
  Build b = lost();
  log_names(b, 100);
  EXPECT_EQ(strength(b), Strength::proven);
  b.s.process.command = "sleep";  // another one of that number
  EXPECT_EQ(strength(b), std::nullopt);
  EXPECT_EQ(b.diagnosis().verdict, Cause::unknown);
}

TEST(LostRun, CountersAloneLeaveARival) {
  Build b = lost();
  EXPECT_EQ(strength(b), Strength::strong);
  EXPECT_TRUE(b.diagnosis().findings[0].rival);
  b.s.memory_bounds->groups[0].used_bytes = 10 * mib;  // it was far from its limit: perhaps it was for somebody later
  EXPECT_EQ(strength(b), Strength::plausible);
}

TEST(LostRun, NothingWasCounted) {
  Build b = lost(0);
  EXPECT_EQ(strength(b), std::nullopt);
  EXPECT_NE(b.diagnosis().certain.back().find("killed nobody"), std::string::npos);
}

TEST(LostRun, TheGroupIsGone) {
  Build b = lost();
  b.s.memory_bounds->groups[0].oom_kills.reset();
  EXPECT_EQ(strength(b), Strength::plausible);
  EXPECT_NE(b.diagnosis().findings[0].claim.find("may"), std::string::npos);
  b.s.memory_bounds->groups[0].used_bytes = 50 * mib;
  EXPECT_EQ(strength(b), std::nullopt);
  // version 2 counts in the group around it what happened inside
  b.s.memory_bounds->groups[0].used_bytes = 60 * mib;
  b.s.memory_bounds->groups[1] = {.path = "/pods", .version = 2, .oom_kills_before = 3, .oom_kills = 4};
  EXPECT_EQ(strength(b), Strength::strong);
}

TEST(LostRun, AProgramThatRanOnDidNotEndWithSigwhy) {
  Build b = lost(0);
  b.s.termination.outlived_sigwhy = true;
  EXPECT_NE(b.diagnosis().certain[0].find("was not seen"), std::string::npos);
}

TEST(OutOfMemoryKilled, TheLogNamesIt) {
  Build b = killed();
  log_names(b, 100);
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
  EXPECT_EQ(claim(b), "by the kernel, at the 64 MiB of control group /job_17");
}

// A count in the file made its reader fill the memory.
TEST(OutOfMemoryKilled, WhileReadingABrokenFile) {
  Build b = killed();
  log_names(b, 100);
  b.frames({{"memset", mine}, {"tflite::Subgraph::AddTensors(int, int*)", mine}, {"main", app}});
  Input file{.path = "/data/m.tflite", .seen = "mapped", .bytes = 33'404};
  file.checked = {.format = "tflite", .soundness = Soundness::broken, .flaw = Flaw{.offset = 32'364, .where = "tensors", .what = "too many"}};
  b.s.inputs.push_back(file);
  EXPECT_EQ(b.diagnosis().findings.at(0).cause, Cause::corrupt_input);
  EXPECT_EQ(b.diagnosis().findings.at(0).strength, Strength::strong);
  EXPECT_EQ(b.diagnosis().findings.at(0).explains, Cause::out_of_memory_killed);
  b.s.inputs[0].checked.soundness = Soundness::sound;
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
  b.s.inputs[0] = file;
  b.s.inputs[0].checked.format = "checkpoint";  // half written, while TensorFlow trains
  b.s.threads[0].frames.clear();
  b.frames({{"tensorflow::Tensor::Tensor(tensorflow::Allocator*)", mine}, {"main", app}});
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
  b.s.inputs[0] = file;
  b.s.threads[0].frames.clear();
  b.frames({{"tflite::Subgraph::AddTensors(int, int*)", mine}, {"main", app}});
  b.s.memory_bounds->choices[0].pid = 4711;  // another was chosen: this one was killed by somebody
  b.s.memory_bounds->groups[0].oom_kills = 0;
  EXPECT_NE(b.diagnosis().verdict, Cause::corrupt_input);
}

// Of many kills in a row the kernel leaves out the lines that name the group.
TEST(OutOfMemoryKilled, TheLogLeavesTheGroupOut) {
  Build b = killed();
  b.s.memory_bounds->log_was_readable = true;
  b.s.memory_bounds->choices.push_back({.pid = 100, .command = "hog", .for_group = true});
  auto& own = b.s.memory_bounds->groups[0];
  own.oom_kills_before = own.oom_kills;  // read too late
  own.limit_hits_before = own.limit_hits;
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
  EXPECT_EQ(claim(b), "by the kernel, at the 64 MiB of control group /job_17");
  own.peak_bytes = own.used_bytes = 10 * mib;  // the limit of another, around it
  EXPECT_EQ(claim(b), "by the kernel, at the limit of a control group that is not to be seen from here");
  b.s.memory_bounds->choices[0].for_group = false;
  EXPECT_EQ(claim(b).find("by the kernel, at the machine's"), 0u);
}

TEST(OutOfMemoryKilled, TheLogNamesAnother) {
  Build b = killed();
  log_names(b, 200);
  EXPECT_EQ(verdict(b), "killed-by-process strong");
  EXPECT_EQ(claim(b), "by a process; the kernel killed for memory, but not this one");
}

TEST(OutOfMemoryKilled, AnOldLineIsAboutAnEarlierProcess) {
  Build b = killed();
  log_names(b, 100);
  b.s.memory_bounds->choices[0].seconds_before = 4000;
  EXPECT_EQ(verdict(b), "killed-by-process strong");
}

TEST(OutOfMemoryKilled, LogLinesThatWereLostProveNothing) {
  Build b = killed();
  log_names(b, 200);
  b.s.memory_bounds->log_was_readable = false;
  b.s.memory_bounds->window->strangers = 1;
  EXPECT_EQ(verdict(b), "out-of-memory-killed strong");
}

TEST(OutOfMemoryKilled, ThePidsOfTheMachineAreNotOurs) {
  Build b = killed();
  log_names(b, 100);
  b.s.memory_bounds->log_has_other_pids = true;
  b.s.memory_bounds->window->gone = 1;
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(OutOfMemoryKilled, NobodyElseCanHaveBeenMeant) {
  Build b = killed();
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
  b.s.memory_bounds->window->strangers = 2;
  EXPECT_EQ(verdict(b), "out-of-memory-killed strong");
  b.s.memory_bounds->window->gone = 1;
  EXPECT_EQ(verdict(b), "unknown");
  EXPECT_NE(b.diagnosis().certain[0].find("this one or another"), std::string::npos);
}

TEST(OutOfMemoryKilled, AsManyKillsAsCandidates) {
  Build two = killed(2);
  two.s.memory_bounds->window->doubtful = 1;
  EXPECT_EQ(verdict(two), "out-of-memory-killed proven");
  two.s.memory_bounds->window->killed = 1;
  EXPECT_EQ(verdict(two), "unknown");
}

TEST(OutOfMemoryKilled, TheKernelSentItAndCounted) {
  Build b = killed();
  b.s.memory_bounds->window->gone = 3;
  b.s.termination.code = 128;
  b.s.termination.sender = Sender{.relation = SenderRelation::kernel};
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
  Build uncounted = killed(0);
  uncounted.s.termination.code = 128;
  uncounted.s.termination.sender = Sender{.relation = SenderRelation::kernel};
  EXPECT_EQ(verdict(uncounted), "unknown");
  EXPECT_EQ(uncounted.diagnosis().certain[0], "the kernel itself ended it with SIGKILL");
}

TEST(OutOfMemoryKilled, AProcessSentItWhileTheKernelKilledAnother) {
  Build b = killed();
  b.s.termination.code = SI_USER;
  b.s.termination.sender = Sender{.pid = 77, .relation = SenderRelation::other, .command = "bash"};
  EXPECT_EQ(verdict(b), "killed-by-process proven");
}

TEST(OutOfMemoryKilled, TheParentsLimit) {
  Build b = killed();
  auto& groups = b.s.memory_bounds->groups;
  groups[0].limit_hits = 0;
  groups.insert(groups.begin() + 1, {.path = "/jobs", .version = 1, .limit_bytes = 128 * mib, .used_bytes = 128 * mib,
                                     .peak_bytes = 128 * mib, .limit_hits_before = 7, .limit_hits = 8});
  EXPECT_EQ(claim(b), "by the kernel, at the 128 MiB of the parent group /jobs");
  groups[1].limit_hits = 7;
  EXPECT_EQ(claim(b), "by the kernel, at a limit that is not to be seen from here, or the machine's own");
  b.s.memory_bounds->available_bytes = 20 * mib;
  EXPECT_EQ(claim(b), "by the kernel, at the machine's 4.0 GiB");
}

TEST(OutOfMemoryKilled, ThisContainer) {
  Build b = killed();
  b.s.memory_bounds->groups.resize(1);
  b.s.memory_bounds->groups[0].path = "/";
  b.s.memory_bounds->groups[0].version = 2;
  EXPECT_EQ(claim(b), "by the kernel, at this container's 64 MiB");
}

TEST(OutOfMemoryKilled, ADaemonThatComesFirst) {
  Build b = by_sender("systemd-oomd");
  EXPECT_EQ(verdict(b), "out-of-memory-killed strong");
  Build other = by_sender("systemd-logind");
  EXPECT_EQ(verdict(other), "killed-by-process proven");
}

// What was left of it was ended: the earlier death is the one to look at.
TEST(KilledByProcess, AfterAnEarlierDeath) {
  const auto fix = [](Build& b) { return b.diagnosis().findings[0].fix[0]; };
  Build b = by_sender("watchdog", SenderRelation::parent);
  EXPECT_EQ(verdict(b), "killed-by-process proven");
  EXPECT_NE(fix(b).find("nothing in the program itself failed"), std::string::npos);
  Build child = by_sender("watchdog", SenderRelation::parent);
  child.s.process.tree.push_back({.pid = 110, .parent = child.s.process.pid});
  child.s.process.tree[0].ended = Termination{.kind = TerminationKind::exited, .exit_code = 1};
  EXPECT_EQ(verdict(child), "killed-by-process strong");
  EXPECT_EQ(fix(child).find("nothing in the program"), std::string::npos);
  Build kill = by_sender("watchdog", SenderRelation::parent);
  kill.s.memory_bounds->choices.push_back({.pid = 111, .command = "python", .group = "/job_17", .seconds_before = 24});
  EXPECT_EQ(verdict(kill), "killed-by-process strong");
  EXPECT_EQ(fix(kill).find("nothing in the program"), std::string::npos);
  kill.s.memory_bounds->choices[0].group = "/job_18";
  EXPECT_EQ(verdict(kill), "killed-by-process proven");
  kill.s.memory_bounds->choices[0].group = kill.s.memory_bounds->groups[0].path = "/";  // everybody is there
  EXPECT_EQ(verdict(kill), "killed-by-process proven");
}

TEST(KilledByProcess, NobodySawTheSenderButTheKernelDidNotCount) {
  Build b = killed(0);
  EXPECT_EQ(verdict(b), "killed-by-process strong");
  EXPECT_EQ(claim(b), "by a process, not by the kernel for memory");
  Build blind;
  blind.signal(SIGKILL, 0);
  blind.s.termination.code.reset();
  EXPECT_EQ(verdict(blind), "unknown");
}

TEST(TimeLimit, ASchedulerAsksFirst) {
  Build b = by_sender("slurmstepd");
  asked(b, "slurmstepd");
  EXPECT_EQ(verdict(b), "time-limit strong");
  Build person = by_sender("bash");
  asked(person, "bash");
  EXPECT_EQ(verdict(person), "killed-by-process proven");
}

TEST(TimeLimit, AWatchdogWaitsAPersonTypes) {
  Build b = by_sender("python3");
  asked(b, "python3");
  EXPECT_EQ(verdict(b), "time-limit strong");
  EXPECT_EQ(b.s.termination.asked_before->seconds_before, 10);
  Build unseen = killed(0);
  asked(unseen, "", 0);
  EXPECT_EQ(verdict(unseen), "time-limit strong");
  Build at_once = by_sender("python3");
  asked(at_once, "python3");
  at_once.s.termination.asked_before->seconds_before = 0.05;
  EXPECT_EQ(verdict(at_once), "killed-by-process proven");
}

TEST(TimeLimit, TheEnvironmentNamesTheScheduler) {
  Build b = killed(0);
  asked(b, "", 0);
  b.s.process.switches["KUBERNETES_SERVICE_HOST"] = "";
  EXPECT_EQ(verdict(b), "time-limit strong");
  EXPECT_EQ(claim(b), "Kubernetes asked it to end with SIGTERM and killed it 10.0 seconds later");
  Build unasked = killed(0);
  unasked.s.process.switches["KUBERNETES_SERVICE_HOST"] = "";
  EXPECT_EQ(verdict(unasked), "killed-by-process strong");
}

TEST(TimeLimit, AskedAndThenKilledForMemory) {
  Build b = killed();
  log_names(b, 100);
  asked(b, "slurmstepd");
  b.s.process.switches["SLURM_JOB_ID"] = "17";
  EXPECT_EQ(verdict(b), "out-of-memory-killed proven");
}

}  // namespace

}  // namespace sigwhy::diagnose
