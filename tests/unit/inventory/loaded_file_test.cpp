// Names that wheels give to the libraries they carry, and the tables of files that are in every process.
#include "inventory/loaded_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <random>

#include "inventory/family.h"

namespace sigwhy::inventory {
namespace {

TEST(LibraryName, OfSystemAndWheelFiles) {
  const auto stem = [](const char* path) { return library_name(path).stem; };
  EXPECT_EQ(stem("/usr/lib/x86_64-linux-gnu/libgomp.so.1.0.0"), "libgomp");
  EXPECT_EQ(stem("/v/site-packages/torch/lib/libgomp-a34b3233.so.1"), "libgomp");
  EXPECT_EQ(stem("/v/numpy.libs/libopenblas64_p-r0-15028c96.3.21.so"), "libopenblas64_p-r0");
  EXPECT_EQ(stem("/v/_multiarray_umath.cpython-311-x86_64-linux-gnu.so"), "_multiarray_umath");
  EXPECT_EQ(stem("/opt/libomp-14.so.5"), "libomp-14");
  EXPECT_EQ(library_name("/a/libgomp-a34b3233.so.1.0.0").version, "1.0.0");
  EXPECT_EQ(library_name("/a/b.so").version, "");
  EXPECT_EQ(library_name("").stem, "");
}

TEST(FirstWord, IsTheVersion) {
  EXPECT_EQ(first_word("0.3.21 DYNAMIC_ARCH"), "0.3.21");
  EXPECT_EQ(first_word(" 1.14.6"), "1.14.6");
  EXPECT_EQ(first_word(""), "");
}

struct Opened {
  explicit Opened(const char* file)
      : module{.path = file}, elf(native::ElfFile::open(OwnedFd(open(file, O_RDONLY | O_CLOEXEC)))) {}
  Module module;
  std::optional<native::ElfFile> elf;
};

TEST(Families, OfTheCppRuntime) {
  const Opened opened("/usr/lib/x86_64-linux-gnu/libstdc++.so.6");
  if (!opened.elf) GTEST_SKIP();
  const auto table = native::DynamicTable::of(*opened.elf);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->soname(), "libstdc++.so.6");
  const LoadedFile file{opened.module, *opened.elf, *table, library_name(opened.module.path)};
  EXPECT_TRUE(file.defines("_ZSt9terminatev"));
  EXPECT_FALSE(file.defines("_ZSt9terminatevx"));
  EXPECT_EQ(table->find("_ZSt9terminatev")->version, "GLIBCXX_3.4");
  EXPECT_TRUE(highest_version(file, "GLIBCXX_")->starts_with("3.4."));
  EXPECT_EQ(highest_version(file, "NO_SUCH_"), std::nullopt);
  std::size_t recognised = 0;
  for (const auto* family : all_families()) recognised += family->recognise(file).has_value();
  EXPECT_EQ(recognised, 1u);
}

TEST(Families, OfTheCLibrary) {
  const Opened opened("/usr/lib/x86_64-linux-gnu/libc.so.6");
  if (!opened.elf) GTEST_SKIP();
  const auto table = native::DynamicTable::of(*opened.elf);
  ASSERT_TRUE(table);
  const LoadedFile file{opened.module, *opened.elf, *table, library_name(opened.module.path)};
  for (const auto* family : all_families()) EXPECT_FALSE(family->recognise(file)) << family->title;
  EXPECT_EQ(table->needed(), std::vector<std::string>{"ld-linux-x86-64.so.2"});
}

// Damaged tables give wrong answers or none, and never more than that.
TEST(DynamicTable, OfDamagedFiles) {
  std::ifstream in("/usr/lib/x86_64-linux-gnu/libgcc_s.so.1", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  if (whole.empty()) GTEST_SKIP();
  std::mt19937 random(7);
  for (int round = 0; round < 400; ++round) {
    std::vector<std::byte> bytes(whole.size());
    std::memcpy(bytes.data(), whole.data(), whole.size());
    for (int i = 0; i < 60; ++i) bytes[random() % (i % 2 ? 0x2000 : bytes.size())] = std::byte(random());
    if (round % 4 == 0) bytes.resize(random() % bytes.size());
    const auto elf = native::ElfFile::from_bytes(std::move(bytes));
    const auto table = elf ? native::DynamicTable::of(*elf) : std::nullopt;
    if (!table) continue;
    table->versions();
    table->find("_Unwind_Resume");
    table->call_slots([](std::string_view) { return true; });
    native::number_behind(*elf, "GCC_");
  }
}

}  // namespace
}  // namespace sigwhy::inventory
