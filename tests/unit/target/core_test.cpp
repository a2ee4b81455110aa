// A real core, written by a child that dies, then the same one damaged in many ways.
#include "target/core.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fstream>
#include <iterator>
#include <random>

namespace sigwhy {

namespace {

// gcore-like core of our own making would share our reader's mistakes; gdb writes one that does not.
std::string real_core() {
  static const std::string path = [] {
    const std::string at = testing::TempDir() + "/sigwhy-core-test";
    const std::string command = "gdb -batch -nx -ex run -ex 'generate-core-file " + at +
                                "' --args /bin/sh -c 'kill -SEGV $$' > /dev/null 2>&1";
    return std::system(command.c_str()) == 0 ? at : std::string();
  }();
  return path;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST(Core, ReadsThreadsSignalAndMemory) {
  ASSERT_FALSE(real_core().empty()) << "gdb could not write a core";
  EXPECT_TRUE(is_core(real_core()));
  const auto target = target_from_core(real_core());
  ASSERT_TRUE(target) << target.error().what;
  ASSERT_EQ(target->threads.size(), 1u);
  ASSERT_TRUE(target->threads[0].registers);
  EXPECT_TRUE(target->threads[0].died);
  EXPECT_TRUE(target->memory->read_value<std::uint64_t>(Address{target->threads[0].registers->rsp}));
  EXPECT_TRUE(target->files.at("exe").starts_with("/"));
  ASSERT_TRUE(target->signal);
  EXPECT_EQ(target->signal->si_signo, SIGSEGV);
}

TEST(Core, RefusesWhatIsNone) {
  EXPECT_FALSE(is_core("/bin/sh"));
  EXPECT_FALSE(is_core("/no/such/file"));
  EXPECT_FALSE(target_from_core("/dev/null"));
}

TEST(Core, DamageIsSurvived) {
  const std::string whole = bytes_of(real_core());
  ASSERT_GT(whole.size(), 4096u);
  const std::string path = testing::TempDir() + "/sigwhy-core-damaged";
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string bytes = whole.substr(0, round % 3 ? whole.size() : random() % whole.size());
    for (int i = 0; i < 8 && bytes.size() > 64; ++i) bytes[random() % std::min<std::size_t>(bytes.size(), 8192)] = static_cast<char>(random());
    write_file(path, bytes);
    const auto target = target_from_core(path);
    if (target && !target->threads.empty() && target->threads[0].registers)
      target->memory->read_value<std::uint64_t>(Address{target->threads[0].registers->rsp});
  }
  unlink(path.c_str());
}

}  // namespace sigwhy
