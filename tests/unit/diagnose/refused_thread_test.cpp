// Threads, processes and mappings that were refused: which limit it was, by what was counted.
#include <gtest/gtest.h>

#include "exception_builder.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t gib = 1ull << 30;

Thrown python_thread() {
  Thrown t("RuntimeError", "can't start new thread");
  t.at("/usr/lib/python3.11/threading.py", "start", 964).at("/home/u/fit.py", "<module>", 7, "t.start()");
  return t;
}

TaskGroup group(const char* path, std::uint64_t limit, std::uint64_t tasks) {
  return {.path = path, .limit_file = std::string("/sys/fs/cgroup/pids") + path + "/pids.max", .limit = limit, .task_count = tasks};
}

void mappings(Build& b, std::uint64_t count) {
  b.s.process.mapping_count = count;
  b.limit("mappings", 65530);
}

std::string rival(const Build& b) {
  const auto d = b.diagnosis();
  const auto* finding = found(d, Cause::resource_limit);
  return finding && finding->rival ? *finding->rival : "";
}

}  // namespace

// ---- the control group

TEST(RefusedThread, ByAFullGroup) {
  auto t = python_thread();
  t.s.process.task_groups = {group("/job_17", 60, 60)};
  EXPECT_EQ(verdict(t), "resource-limit strong");  // nobody looked when the run was young
  EXPECT_EQ(t.claim(), "a thread or process could not be made: its control group may have 60 of them (pids.max) and has 60");
  EXPECT_TRUE(t.speaks());
  t.s.process.task_groups[0].refusals_before = 2;
  t.s.process.task_groups[0].refusals = 3;
  EXPECT_EQ(verdict(t), "resource-limit proven");
}

// Its threads had ended when the error was printed.
TEST(RefusedThread, ByAGroupThatWasFull) {
  auto t = python_thread();
  t.s.process.task_groups = {group("/job_17", 60, 9)};
  t.s.process.task_groups[0].refusals_before = 0;
  t.s.process.task_groups[0].refusals = 1;
  EXPECT_EQ(verdict(t), "resource-limit strong");
  EXPECT_TRUE(t.claim().ends_with("may have 60 of them (pids.max), and was full during this run"));
}

TEST(RefusedThread, ByAnOuterGroup) {
  auto t = python_thread();
  TaskGroup own = group("/job_17/worker", 0, 12);
  own.limit.reset();
  t.s.process.task_groups = {own, group("/job_17", 60, 60)};
  EXPECT_EQ(verdict(t), "resource-limit strong");
  EXPECT_NE(t.claim().find("the control group /job_17 around it may have 60"), std::string::npos);
}

TEST(RefusedThread, NotByAGroupWithRoom) {
  auto t = python_thread();
  t.s.process.task_groups = {group("/job_17", 4096, 60)};
  t.s.process.task_groups[0].refusals_before = 7;  // of an earlier run
  t.s.process.task_groups[0].refusals = 7;
  EXPECT_EQ(verdict(t), "python-exception proven");
  EXPECT_EQ(rival(t), "the limit on processes and threads of this user (ulimit -u)");
  t.limit("processes", 62);
  t.s.process.thread_count = 60;
  EXPECT_EQ(verdict(t), "resource-limit strong");
  EXPECT_TRUE(t.claim().ends_with("the limit is 62, this process has 60"));
}

TEST(RefusedThread, ByFork) {
  Thrown t("BlockingIOError", "[Errno 11] Resource temporarily unavailable", {"OSError", "Exception"});
  t.attribute("errno", "11").at("/home/u/fit.py", "<module>", 7, "if os.fork() == 0:");
  t.s.process.task_groups = {group("/job_17", 60, 60)};
  EXPECT_EQ(verdict(t), "resource-limit strong");
  t.s.python_exceptions[0].traceback[0].text = "os.write(door, page)";
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(RefusedThread, NotAtTheInterpretersEnd) {
  Thrown t("RuntimeError", "can't start new thread at interpreter shutdown");
  t.at("/usr/lib/python3.12/threading.py", "start", 992).at("/home/u/fit.py", "save", 7, "t.start()");
  t.s.process.task_groups = {group("/job_17", 60, 60)};
  EXPECT_EQ(verdict(t), "python-exception proven");
}

TEST(RefusedThread, InCpp) {
  Build b;
  b.aborts().exception("std::system_error", "Resource temporarily unavailable", {"std::exception"});
  b.frames({{"raise", libc}, {"abort", libc}, {"std::terminate()", cpp}, {"__cxa_throw", cpp}, {"main", app}});
  b.s.process.task_groups = {group("/job_17", 100, 100)};
  EXPECT_EQ(verdict(b), "resource-limit strong");
  b.s.process.task_groups = {group("/job_17", 4096, 100)};
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception proven");
}

// What it said last may be old: only with a refusal that was counted.
TEST(RefusedThread, ByLastWords) {
  Build b;
  b.s.termination = {.kind = TerminationKind::exited, .exit_code = 1};
  b.text(TextKind::stderr_tail, "libgomp: Thread creation failed: Resource temporarily unavailable\n");
  b.s.process.task_groups = {group("/job_17", 60, 60)};
  EXPECT_FALSE(found(b.diagnosis(), Cause::resource_limit));
  b.s.process.task_groups[0].refusals_before = 0;
  b.s.process.task_groups[0].refusals = 1;
  EXPECT_EQ(verdict(b), "resource-limit strong");
  b.s.texts[0].text += "usage: fit.py [-h] FILE\n";
  EXPECT_FALSE(found(b.diagnosis(), Cause::resource_limit));
}

// ---- address space

TEST(RefusedThread, ByTheAddressSpace) {
  auto t = python_thread();
  EXPECT_EQ(verdict(t), "python-exception proven");
  t.limit("address-space", 2 * gib);
  EXPECT_EQ(verdict(t), "python-exception proven");  // far away
  t.s.regions.push_back({.start = {0x7e0000000000}, .end = {0x7e0000000000 + 2 * gib - (32u << 20)}, .permissions = "rw-p"});
  EXPECT_EQ(verdict(t), "resource-limit strong");
  t.s.process.mapping_count = 20000;  // which part of the map the case has is not known
  t.s.regions.pop_back();
  EXPECT_EQ(verdict(t), "resource-limit strong");
}

// ---- mappings

TEST(MappingLimit, RefusesMemory) {
  Thrown t("OSError", "[Errno 12] Cannot allocate memory");
  t.attribute("errno", "12").at("/home/u/fit.py", "load", 7, "mmap.mmap(-1, 4096)");
  mappings(t, 65531);
  EXPECT_EQ(verdict(t), "resource-limit strong");
  EXPECT_EQ(t.claim(), "nothing more could be mapped: the process has 65,531 mappings, and vm.max_map_count allows 65,530");
  EXPECT_TRUE(found(t.diagnosis(), Cause::out_of_memory_refused));
  t.s.process.mapping_count = 40000;
  EXPECT_EQ(verdict(t), "out-of-memory-refused strong");
}

TEST(MappingLimit, ProvenWhereTheSizeIsKnown) {
  Thrown t("numpy.core._exceptions._ArrayMemoryError",
           "Unable to allocate 256. MiB for an array with shape (1024, 1024, 32) and data type float64", {"MemoryError", "Exception"});
  t.at("/home/u/fit.py", "<module>", 4, "parts.append(np.ones(shape))");
  mappings(t, 65530);
  EXPECT_EQ(verdict(t), "resource-limit proven");
  t.s.python_exceptions[0].message = "Unable to allocate 256. GiB for an array with shape (1024, 1024, 32768) and data type float64";
  EXPECT_EQ(verdict(t), "out-of-memory-refused proven");
}

// torch puts the C library's words into an error of its own.
TEST(MappingLimit, InTheWordsOfALibrary) {
  Thrown t("RuntimeError", "unable to mmap 64 bytes from file </torch_4711_1>: Cannot allocate memory (12)");
  t.at(site + "torch/storage.py", "_new_shared", 412).at("/home/u/fit.py", "share", 9, "x.share_memory_()");
  EXPECT_EQ(verdict(t), "python-exception proven");
  mappings(t, 65530);
  EXPECT_EQ(verdict(t), "resource-limit strong");
}

TEST(MappingLimit, InCpp) {
  Build b;
  b.aborts().exception("std::bad_alloc", "std::bad_alloc", {"std::exception"});
  b.frames({{"raise", libc}, {"abort", libc}, {"std::terminate()", cpp}, {"__cxa_throw", cpp}, {"main", app}});
  mappings(b, 65530);
  EXPECT_EQ(verdict(b), "resource-limit strong");
  b.s.process.mapping_count = 20000;
  EXPECT_EQ(verdict(b), "uncaught-cpp-exception proven");
}

TEST(MappingLimit, NoStackForAThread) {
  auto t = python_thread();
  mappings(t, 65529);
  EXPECT_EQ(verdict(t), "resource-limit strong");
  EXPECT_TRUE(t.claim().starts_with("the stack of a new thread could not be mapped: the process has 65,529 mappings"));
}

}  // namespace sigwhy::diagnose
