#include "native/host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace sigwhy::test {
namespace {

TEST(Host, IsReadFromTheKernelsFiles) {
  const auto root = std::filesystem::path(BINARY_DIR) / "made_proc";
  std::filesystem::create_directories(root / "sys/kernel");
  std::ofstream(root / "sys/kernel/osrelease") << "6.1.0-test\n";
  std::ofstream(root / "meminfo") << "MemTotal:       24684120 kB\nMemFree: 1 kB\n";
  std::ofstream(root / "cpuinfo") << "processor\t: 0\nmodel name\t: Some CPU @ 2GHz\nflags\t\t: fpu sse2 avx512f\n"
                                     "\nprocessor\t: 1\nmodel name\t: other\nflags\t\t: nothing\n";
  const auto host = native::host_from(root);
  EXPECT_EQ(host.kernel, "6.1.0-test");
  EXPECT_EQ(host.cpu, "Some CPU @ 2GHz");
  EXPECT_EQ(host.cpu_features, (std::vector<std::string>{"fpu", "sse2", "avx512f"}));
  EXPECT_EQ(host.memory_bytes, 24684120ull * 1024);
}

TEST(Host, AbsentFilesLeaveItEmpty) {
  const auto host = native::host_from("/nowhere/at/all");
  EXPECT_TRUE(host.kernel.empty() && host.cpu.empty() && host.cpu_features.empty());
  EXPECT_EQ(host.memory_bytes, 0u);
}

TEST(Host, ThisOneHasSse2AndMemory) {
  const auto host = native::this_host();
  EXPECT_NE(std::ranges::find(host.cpu_features, "sse2"), host.cpu_features.end());
  EXPECT_GT(host.memory_bytes, 1u << 20);
  EXPECT_FALSE(host.kernel.empty());
}

}  // namespace
}  // namespace sigwhy::test
