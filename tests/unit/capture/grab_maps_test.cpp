// What is kept of /proc/PID/maps where it is too long: the libraries, which stand at its end, and what is near an address
// that matters.
#include "capture/grab_maps.h"

#include <gtest/gtest.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "base/owned_fd.h"
#include "target/saved.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t heap = 0x7e0000000000;
constexpr const char* libraries =
    "7ff000000000-7ff000001000 r--p 00000000 fe:00 9 /usr/lib/libc.so.6\n"
    "7ff000001000-7ff000002000 r-xp 00001000 fe:00 9 /usr/lib/libc.so.6\n"
    "7ff000002000-7ff000003000 rw-p 00002000 fe:00 9 /usr/lib/libc.so.6\n"
    "7ff000003000-7ff000004000 rw-p 00000000 00:00 0 \n"
    "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]\n";
constexpr std::size_t library_lines = 5;

std::string line(std::uint64_t i, const char* rest) {
  char text[512];
  const auto at = static_cast<unsigned long long>(heap + i * 0x1000);
  snprintf(text, sizeof text, "%llx-%llx %s\n", at, at + 0x1000, rest);
  return text;
}

struct Copied {
  explicit Copied(const std::string& text, std::uint64_t matters = 0) {
    char name[] = "/tmp/sigwhy-maps-XXXXXX";
    const OwnedFd fd(mkstemp(name));
    unlink(name);
    EXPECT_EQ(write(fd.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
    lseek(fd.get(), 0, SEEK_SET);
    storage.resize(2400u << 10);
    ArenaWriter arena(storage);
    const ProcessRecord process{42, 1, 0, 1'800'000'000, 2.5};
    arena.append(RecordType::process, &process, sizeof process);
    copy_maps_file(fd.get(), true, std::span(&matters, 1), arena);
    left = arena.left();
    target = std::move(*target_from_arena(storage, nullptr));
  }
  bool has(std::uint64_t address) const { return mapping_at(target.mappings, Address{address}).has_value(); }
  void expect_libraries() const {
    for (const std::uint64_t page : {0x7ff000000000, 0x7ff000001000, 0x7ff000002000, 0x7ff000003000, 0x7ffc00000000})
      EXPECT_TRUE(has(page)) << std::hex << page;
  }
  void expect_gap_of(std::size_t lines) const {
    ASSERT_EQ(target.gaps.size(), 1u);
    EXPECT_EQ(target.gaps[0].what, std::to_string(lines - target.mappings.size()) + " more mappings");
  }

  std::vector<std::byte> storage;
  std::size_t left = 0;
  Target target;
};

}  // namespace

TEST(GrabMaps, AllOfAShortOne) {
  const Copied copied(line(0, "rw-s 00000000 00:01 7 /dev/zero (deleted)") + libraries +
                      "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n");
  EXPECT_EQ(copied.target.mappings.size(), 1 + library_lines + 1);
  EXPECT_TRUE(copied.target.gaps.empty());
  // Without the last, which the kernel does not count; and how many there may be.
  EXPECT_TRUE(copied.target.files.at("mapping_count").starts_with("6 "));
  EXPECT_GT(atoi(copied.target.files.at("mapping_count").c_str() + 2), 1000);
}

TEST(GrabMaps, SmallNeighboursAreJoinedUnlessTheyMatter) {
  std::string text;
  for (std::uint64_t i = 0; i < 60000; ++i) text += line(i, i % 2 ? "rw-p 00000000 00:00 0 " : "---p 00000000 00:00 0 ");
  const std::uint64_t matters = heap + 50001 * 0x1000ull;
  const Copied copied(text + libraries, matters);
  const auto& maps = copied.target.mappings;
  EXPECT_LT(maps.size(), 2500u);
  const auto at = mapping_at(maps, Address{matters});
  ASSERT_TRUE(at);
  EXPECT_EQ(maps[*at].end - maps[*at].start, 0x1000);
  for (std::size_t i = 1; i < maps.size(); ++i) EXPECT_GE(maps[i].start, maps[i - 1].end);
  copied.expect_libraries();
  copied.expect_gap_of(60000 + library_lines);
  EXPECT_TRUE(copied.target.files.at("mapping_count").starts_with("60005 "));
}

// Of shared memory and files, which are not joined, only as many as leave room for everything else.
TEST(GrabMaps, DataLeaveRoomForTheRest) {
  const std::string long_name = "r--p 00000000 fe:00 7 /data/" + std::string(200, 'x') + "/shard-";
  for (const bool files : {false, true}) {
    std::string text;
    for (std::uint64_t i = 0; i < 65000; ++i)
      text += line(i, files ? (long_name + std::to_string(i)).c_str() : "rw-s 00000000 00:01 7 /dev/zero (deleted)");
    const std::uint64_t matters = heap + 60000 * 0x1000ull;
    const std::string stack = "7f0000000000-7f0000001000 ---p 00000000 00:00 0 \n7f0000001000-7f0000801000 rw-p 00000000 00:00 0 \n";
    const Copied copied(text + stack + libraries, matters);
    EXPECT_GT(copied.target.mappings.size(), 1000u);
    EXPECT_TRUE(copied.has(0x7f0000001000));
    EXPECT_GT(copied.left, 1800u << 10);
    EXPECT_TRUE(copied.has(heap) && copied.has(matters) && !copied.has(matters + 0x100000));
    copied.expect_libraries();
    copied.expect_gap_of(65002 + library_lines);
    EXPECT_TRUE(copied.target.files.at("mapping_count").starts_with("65007 "));
  }
}

// One file, mapped in pieces.
TEST(GrabMaps, ManyPiecesOfOneFileAreData) {
  std::string text;
  for (std::uint64_t i = 0; i < 65000; ++i) text += line(2 * i, "r--p 00000000 fe:00 7 /data/all.bin");
  const Copied copied(text + libraries);
  EXPECT_GT(copied.left, 1800u << 10);
  copied.expect_libraries();
  copied.expect_gap_of(65000 + library_lines);
}

}  // namespace sigwhy::capture
