// The groups that limit threads, as made-up trees of both versions: what is read of them, and what the developing process
// makes of it.
#include "capture/task_groups.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "capture/develop_process.h"
#include "target/saved.h"

namespace sigwhy::capture {

namespace {

namespace fs = std::filesystem;

class TaskGroupTree : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/sigwhy-tasks-XXXXXX";
    root_ = mkdtemp(pattern);
    setenv("SIGWHY_TEST_CGROUP_ROOT", root_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("SIGWHY_TEST_CGROUP_ROOT");
    fs::remove_all(root_);
  }

  void write(const std::string& file, const std::string& text) const {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }
  void version_1() const {
    write("cgroup", "8:pids:/job_17\n4:memory:/else\n0::/\n");
    write("mountinfo", "35 31 0:32 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n");
  }
  void version_2() const {
    write("cgroup", "0::/job_17/worker\n");
    write("mountinfo", "733 729 0:26 / /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
  }
  void level(const std::string& folder, const char* limit, const char* tasks, const char* events, const char* local = nullptr) const {
    write(folder + "/pids.max", std::string(limit) + "\n");
    write(folder + "/pids.current", std::string(tasks) + "\n");
    write(folder + "/pids.events", std::string("max ") + events + "\n");
    if (local) write(folder + "/pids.events.local", std::string("max ") + local + "\n");
  }
  std::vector<TaskGroup> taken(const TaskGroups& groups) const {
    std::vector<std::byte> storage(64u << 10);
    ArenaWriter arena(storage);
    groups.take(4711, arena);
    return process_of(*target_from_arena(storage, nullptr)).task_groups;
  }

  fs::path root_;
};

using Count = std::optional<std::uint64_t>;

}  // namespace

TEST_F(TaskGroupTree, Version1) {
  version_1();
  level("sys/fs/cgroup/pids/job_17", "60", "7", "2");
  TaskGroups groups;
  groups.remember(4711);
  level("sys/fs/cgroup/pids/job_17", "60", "60", "3");
  const auto found = taken(groups);
  ASSERT_EQ(found.size(), 1u);  // the root has no counters
  EXPECT_EQ(found[0].path, "/job_17");
  EXPECT_EQ(found[0].limit_file, root_.string() + "/sys/fs/cgroup/pids/job_17/pids.max");
  EXPECT_EQ(found[0].limit, Count(60));
  EXPECT_EQ(found[0].task_count, Count(60));
  EXPECT_EQ(found[0].refusals_before, Count(2));
  EXPECT_EQ(found[0].refusals, Count(3));
}

TEST_F(TaskGroupTree, WithoutALookBefore) {
  version_1();
  level("sys/fs/cgroup/pids/job_17", "max", "60", "3");
  const auto found = taken(TaskGroups());
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].limit, Count());
  EXPECT_EQ(found[0].refusals_before, Count());
  EXPECT_EQ(found[0].refusals, Count(3));
}

// An outer level's pids.events counts for its other groups as well; pids.events.local does not.
TEST_F(TaskGroupTree, Version2) {
  version_2();
  level("sys/fs/cgroup/job_17/worker", "max", "12", "0", "0");
  level("sys/fs/cgroup/job_17", "60", "60", "9", "4");
  TaskGroups groups;
  groups.remember(4711);
  level("sys/fs/cgroup/job_17", "60", "60", "12", "5");
  const auto found = taken(groups);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, "/job_17/worker");
  EXPECT_EQ(found[0].limit, Count());
  EXPECT_EQ(found[1].limit, Count(60));
  EXPECT_EQ(found[1].refusals_before, Count(4));
  EXPECT_EQ(found[1].refusals, Count(5));
}

TEST_F(TaskGroupTree, Version2BeforeLinux611) {
  version_2();
  level("sys/fs/cgroup/job_17/worker", "max", "12", "1");
  level("sys/fs/cgroup/job_17", "60", "60", "9");
  TaskGroups groups;
  groups.remember(4711);
  const auto found = taken(groups);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].refusals, Count(1));
  EXPECT_EQ(found[1].refusals, Count());  // of whom, it does not say
}

TEST_F(TaskGroupTree, NoneToBeSeen) {
  write("cgroup", "0::/job_17\n");
  TaskGroups groups;
  groups.remember(4711);
  EXPECT_TRUE(taken(groups).empty());
}

}  // namespace sigwhy::capture
