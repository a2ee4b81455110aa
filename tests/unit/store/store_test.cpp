// Cases at rest: whole or not there, private, the newest kept, broken ones passed over.
#include "store/store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "store/folder.h"

namespace sigwhy::store {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "store-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = name;
  }
  void TearDown() override { fs::remove_all(root_); }

  static Case made(const std::string& id, std::int64_t unix_ms) {
    Case c;
    c.id = id;
    c.made_unix_ms = unix_ms;
    c.snapshot.process.argv = {"./" + id};
    return c;
  }

  fs::path root_;
  Store store() const { return Store((root_ / "state/sigwhy/cases").string()); }
};

TEST_F(StoreTest, SavesAndFindsByStartOfId) {
  const auto s = store();
  ASSERT_TRUE(s.save(made("4f1c27a9", 1'000)));
  ASSERT_TRUE(s.save(made("4f99aaaa", 3'000)));
  EXPECT_EQ(s.load("4f1")->snapshot.process.argv[0], "./4f1c27a9");
  EXPECT_EQ(s.load("4f99aaaa")->id, "4f99aaaa");
  EXPECT_EQ(s.newest()->id, "4f99aaaa");
  EXPECT_EQ(s.load("4f").error().what, "several cases begin with 4f");
  EXPECT_EQ(s.load("00").error().what, "no case is called 00");
  for (const char* bad : {"", "../x", "4f1c27a9a", "xyz"}) EXPECT_FALSE(s.load(bad)) << bad;
}

TEST_F(StoreTest, FilesArePrivate) {
  const auto s = store();
  ASSERT_TRUE(s.save(made("4f1c27a9", 1'000)));
  ASSERT_TRUE(s.save_recipe("4f1c27a9", "secret"));
  ASSERT_TRUE(s.save_memory("4f1c27a9", "memory"));
  EXPECT_EQ(fs::status(s.folder()).permissions(), fs::perms::owner_all);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(s.folder())) {
    ++files;
    EXPECT_EQ(entry.status().permissions(), fs::perms::owner_read | fs::perms::owner_write) << entry.path();
  }
  EXPECT_EQ(files, 3u) << "no temporary file stays behind";
  EXPECT_EQ(*s.load_memory("4f1c27a9"), "memory");
}

TEST_F(StoreTest, KeepsTheNewestByTheirOwnTime) {
  const auto s = store();
  for (int i = 0; i < 5; ++i) {
    const auto id = "0000000" + std::to_string(i);
    ASSERT_TRUE(s.save_memory(id, "m"));
    ASSERT_TRUE(s.save(made(id, 10'000 - i)));  // saved later, made earlier
  }
  ASSERT_TRUE(s.prune(2));
  EXPECT_EQ(*s.ids(), (std::vector<std::string>{"00000000", "00000001"}));
  EXPECT_FALSE(fs::exists(s.folder() + "/00000004.mem.zst")) << "the files beside it go with the case";
  EXPECT_TRUE(fs::exists(s.folder() + "/00000001.mem.zst"));
}

TEST_F(StoreTest, SavingDropsWhatIsBeyondTheLimit) {
  const auto s = store();
  for (std::size_t i = 0; i < cases_kept + 3; ++i) {
    char id[9];
    std::snprintf(id, sizeof id, "%08zx", i);
    ASSERT_TRUE(s.save(made(id, static_cast<std::int64_t>(1'000 + i))));
  }
  EXPECT_EQ(s.ids()->size(), cases_kept);
  EXPECT_EQ(s.ids()->back(), "00000003");
}

TEST_F(StoreTest, PlainExitsGoBeforeCrashes) {
  const auto s = store();
  const auto id_of = [](std::size_t i) {
    char id[9];
    std::snprintf(id, sizeof id, "%08zx", i);
    return std::string(id);
  };
  for (std::size_t i = 0; i < cases_kept + 50; ++i) {
    if (i < 10) {
      ASSERT_TRUE(s.save_memory(id_of(i), "m"));
    }
    ASSERT_TRUE(s.save(made(id_of(i), static_cast<std::int64_t>(1'000 + i))));
  }
  const auto ids = *s.ids();
  EXPECT_EQ(ids.size(), cases_kept);
  EXPECT_EQ(ids.front(), id_of(cases_kept + 49));
  EXPECT_EQ(ids.back(), id_of(0)) << "the oldest crash is still there";
  EXPECT_EQ(std::ranges::count(ids, id_of(10)), 0) << "the oldest plain exit is not";
}

TEST_F(StoreTest, BrokenFilesArePassedOverAndCounted) {
  const auto s = store();
  ASSERT_TRUE(s.save(made("4f1c27a9", 1'000)));
  std::ofstream(s.folder() + "/deadbeef.json") << "{\"snapshot\":";
  std::ofstream(s.folder() + "/notes.json") << "no case";
  std::vector<std::string> seen;
  EXPECT_EQ(*s.each([&](const Case& c) { seen.push_back(c.id); }), 1u);
  EXPECT_EQ(seen, std::vector<std::string>{"4f1c27a9"});
  EXPECT_EQ(s.newest()->id, "4f1c27a9") << "the newest that can be read";
}

TEST_F(StoreTest, AnEmptyOrMissingFolderHoldsNoCases) {
  EXPECT_TRUE(store().ids()->empty());
  EXPECT_EQ(store().newest().error().what, "there is no case yet");
}

TEST_F(StoreTest, AFolderThatCannotBeMadeIsAnErrorWithARemedy) {
  std::ofstream(root_ / "file") << "x";
  const Store s((root_ / "file/cases").string());
  const auto saved = s.save(made("4f1c27a9", 1));
  ASSERT_FALSE(saved);
  EXPECT_NE(saved.error().remedy.find("SIGWHY_DIR"), std::string::npos);
}

TEST_F(StoreTest, NewIdsAreIds) {
  const auto id = store().new_id();
  EXPECT_EQ(id.size(), 8u);
  EXPECT_TRUE(store().save(made(id, 1)));
  EXPECT_FALSE(store().save(made("not an id", 1)));
}

TEST_F(StoreTest, ADeviceIsNotReplaced) {
  ASSERT_TRUE(write_whole("/dev/null", "case"));
  struct stat status {};
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST_F(StoreTest, SharedFolderOfSomebodyElseIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root to own a folder as somebody else";
  const auto shared = root_ / "tmp", foreign = shared / "sigwhy-0";
  fs::create_directories(foreign);
  fs::permissions(shared, fs::perms::all | fs::perms::sticky_bit);
  ASSERT_EQ(::chown(foreign.c_str(), 65534, 65534), 0);
  EXPECT_FALSE(Store(foreign.string()).save(made("4f1c27a9", 1)));
}

TEST_F(StoreTest, CaseFolderComesFromTheEnvironment) {
  unsetenv("SIGWHY_DIR");
  unsetenv("XDG_STATE_HOME");
  setenv("TMPDIR", "/scratch", 1);
  const auto of_nobody = "/scratch/sigwhy-" + std::to_string(::geteuid());
  setenv("HOME", root_.c_str(), 1);
  EXPECT_EQ(case_folder(), root_.string() + "/.local/state/sigwhy/cases");
  EXPECT_TRUE(fs::is_empty(root_)) << "asking makes nothing";
  setenv("HOME", "/nonexistent", 1);
  EXPECT_EQ(case_folder(), of_nobody);
  // What is in the way cannot be written to, not even by root.
  setenv("HOME", root_.c_str(), 1);
  std::ofstream(root_ / ".local") << "a file";
  EXPECT_EQ(case_folder(), of_nobody);
  setenv("XDG_STATE_HOME", (root_ / ".local").c_str(), 1);
  EXPECT_EQ(case_folder(), of_nobody);
  setenv("XDG_STATE_HOME", (root_ / "state").c_str(), 1);
  EXPECT_EQ(case_folder(), root_.string() + "/state/sigwhy/cases");
  setenv("SIGWHY_DIR", "here", 1);
  EXPECT_EQ(case_folder(), "here");
  for (const char* name : {"SIGWHY_DIR", "XDG_STATE_HOME", "HOME"}) unsetenv(name);
  EXPECT_EQ(case_folder(), of_nobody);
  unsetenv("TMPDIR");
}

}  // namespace sigwhy::store
