// Control groups as recorded trees (groups/): which levels are found, what is read of them, and what the developing
// process makes of it. A tree is copied first, because a kill is a file that changes between two readings.
#include "capture/memory_groups.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "capture/develop_bounds.h"
#include "target/saved.h"

namespace sigwhy::capture {

namespace {

namespace fs = std::filesystem;

class Groups : public testing::Test {
 protected:
  void SetUp() override {
    char pattern[] = "/tmp/sigwhy-groups-XXXXXX";
    folder_ = mkdtemp(pattern);
  }
  void TearDown() override {
    unsetenv("SIGWHY_TEST_CGROUP_ROOT");
    fs::remove_all(folder_);
  }

  void use(const char* name) {
    fs::remove_all(folder_);
    fs::copy(fs::path(SOURCE_DIR "/tests/unit/capture/groups") / name, folder_, fs::copy_options::recursive);
    setenv("SIGWHY_TEST_CGROUP_ROOT", folder_.c_str(), 1);
  }
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder_ / "sys/fs/cgroup" / file) << text;
  }
  MemoryGroups groups(double now_s) const { return MemoryGroups::of(group_line_of(4711, "memory"), now_s); }
  static std::vector<std::string> paths() {
    std::vector<std::string> found;
    for (const auto& place : group_places(group_line_of(4711, "memory"), "memory")) found.push_back(place.path);
    return found;
  }
  // As the developing process reads what was taken.
  static MemoryBounds taken(const MemoryGroups& groups, double now_s) {
    std::vector<std::byte> storage(1u << 20);
    ArenaWriter arena(storage);
    groups.take(arena, now_s);
    const auto target = target_from_arena(storage, nullptr);
    return bounds_of(*target).value_or(MemoryBounds{});
  }

  fs::path folder_;
};

using Paths = std::vector<std::string>;

TEST_F(Groups, EveryLevelUpToTheRoot) {
  use("v2_job");
  EXPECT_EQ(paths(), (Paths{"/system.slice/job_17.scope", "/system.slice", "/"}));
  const auto bounds = taken(groups(10), 20);
  ASSERT_EQ(bounds.groups.size(), 2u);  // the root of version 2 has no use and no limit
  const MemoryGroup& own = bounds.groups[0];
  EXPECT_EQ(own.version, 2);
  EXPECT_EQ(own.limit_bytes, 1u << 30);
  EXPECT_EQ(own.high_bytes, 1063256064u);
  EXPECT_EQ(own.swap_limit_bytes, 0u);
  EXPECT_EQ(own.used_bytes, 1073737728u);
  EXPECT_EQ(own.peak_bytes, 1u << 30);
  EXPECT_EQ(own.anonymous_bytes, 1061683200u);
  EXPECT_EQ(own.file_bytes, 1048576u);
  EXPECT_EQ(own.shared_bytes, 3145728u);
  EXPECT_EQ(own.kernel_bytes, 6127616u);
  EXPECT_EQ(own.process_count, 2u);
  EXPECT_FALSE(own.killed_as_one);
  EXPECT_FALSE(bounds.groups[1].limit_bytes);
}

TEST_F(Groups, AKillIsADifference) {
  use("v2_job");
  const auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events.local", "max 9000\noom 3\noom_kill 1\n");
  EXPECT_EQ(opened.kills_since(20), 1u);
  const auto own = taken(opened, 20).groups[0];
  EXPECT_EQ(own.oom_kills_before, 0u);
  EXPECT_EQ(own.oom_kills, 1u);
  EXPECT_EQ(own.limit_hits_before, 0u);
  EXPECT_EQ(own.limit_hits, 3u);
}

TEST_F(Groups, AYoungReadingIsNotYetBefore) {
  use("v2_job");
  auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events.local", "oom 1\noom_kill 1\n");
  opened.remember(19.5);
  EXPECT_EQ(opened.kills_since(20), 1u);
  EXPECT_EQ(opened.kills_since(25), 0u);
}

TEST_F(Groups, AClaimedKillIsNobodyElses) {
  use("v2_job");
  auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events.local", "oom 2\noom_kill 2\n");
  opened.claim_one(0);
  EXPECT_EQ(opened.kills_since(20), 1u);
  opened.claim_one(0);
  opened.claim_one(0);
  EXPECT_EQ(opened.kills_since(20), 0u);
}

TEST_F(Groups, AFresherReadingIsTaken) {
  use("v2_job");
  auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events.local", "oom 2\noom_kill 2\n");
  const std::array<GroupCounters, 2> fresh{{{1, 1}, {0, 0}}};
  opened.hear(15, fresh);
  EXPECT_EQ(opened.kills_since(20), 1u);
  EXPECT_EQ(opened.before_s(20), 15);
  EXPECT_EQ(opened.before_s(16), 10);  // too young
  opened.hear(16, std::span(fresh).first(1));  // of another number of levels
  EXPECT_EQ(opened.before_s(20), 15);
}

TEST_F(Groups, AFresherReadingThatShowsNothingDecidesNothing) {
  use("v2_job");
  auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events.local", "oom 1\noom_kill 1\n");
  const std::array<GroupCounters, 2> fresh{{{1, 1}, {0, 0}}};
  opened.hear(15, fresh);
  EXPECT_EQ(opened.kills_since(20), 1u);
  EXPECT_EQ(opened.before_s(20), 10);
}

TEST_F(Groups, WhatWasReadBeforeAClaimIsNotTaken) {
  use("v2_job");
  auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events.local", "oom 1\noom_kill 1\n");
  opened.claim_one(18);
  const std::array<GroupCounters, 2> fresh{{{0, 0}, {0, 0}}};
  opened.hear(15, fresh);
  EXPECT_EQ(opened.kills_since(20), 0u);
}

TEST_F(Groups, WithoutLocalCountersThoseOfTheWholeCount) {
  use("v2_job");
  fs::remove(folder_ / "sys/fs/cgroup/system.slice/job_17.scope/memory.events.local");
  const auto opened = groups(10);
  write("system.slice/job_17.scope/memory.events", "oom 1\noom_kill 1\n");
  EXPECT_EQ(taken(opened, 20).groups[0].oom_kills, 1u);
  EXPECT_EQ(opened.kills_since(20), 1u);
}

TEST_F(Groups, AContainerSeesItsOwnGroupAsRoot) {
  use("v2_container");
  EXPECT_EQ(paths(), Paths{"/"});
  const auto bounds = taken(groups(10), 20);
  ASSERT_EQ(bounds.groups.size(), 1u);
  EXPECT_EQ(bounds.groups[0].limit_bytes, std::uint64_t{8} << 30);
  EXPECT_TRUE(bounds.groups[0].killed_as_one);
}

TEST_F(Groups, AMountOfAPartOfTheHierarchy) {
  use("v2_host_path");
  EXPECT_EQ(paths(), (Paths{"/docker/4f1c27a9/work", "/docker/4f1c27a9"}));
  const auto bounds = taken(groups(10), 20);
  ASSERT_EQ(bounds.groups.size(), 2u);
  EXPECT_EQ(bounds.groups[1].limit_bytes, 256u << 20);
}

TEST_F(Groups, AGroupOutsideOfOurNamespaceIsNotGuessed) {
  use("v2_outside");
  EXPECT_EQ(paths(), Paths{});
}

TEST_F(Groups, AMountThatBeginsAboveOurNamespace) {
  use("v2_mount_above");
  EXPECT_EQ(paths(), Paths{"/"});
}

TEST_F(Groups, VersionOneBesideVersionTwo) {
  use("v1_hybrid");
  EXPECT_EQ(paths(), (Paths{"/jobs/17", "/jobs", "/"}));
  const auto opened = groups(10);
  write("memory/jobs/17/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  write("memory/jobs/memory.failcnt", "12\n");
  const auto bounds = taken(opened, 20);
  ASSERT_EQ(bounds.groups.size(), 3u);
  EXPECT_EQ(bounds.groups[0].version, 1);
  EXPECT_EQ(bounds.groups[0].limit_bytes, 1u << 30);
  EXPECT_EQ(bounds.groups[0].oom_kills, 1u);
  EXPECT_EQ(bounds.groups[0].oom_kills_before, 0u);
  EXPECT_EQ(bounds.groups[0].file_bytes, 3145728u);
  EXPECT_FALSE(bounds.groups[0].swap_limit_bytes);
  EXPECT_EQ(bounds.groups[1].limit_hits, 12u);
  EXPECT_FALSE(bounds.groups[2].limit_bytes);
}

TEST_F(Groups, RoomIsWhatTheTightestLevelLeaves) {
  use("v2_job");
  EXPECT_EQ(groups(10).room_bytes(), 4096u);
  use("v1_hybrid");
  EXPECT_EQ(groups(10).room_bytes(), 4096u);
}

}  // namespace

}  // namespace sigwhy::capture
