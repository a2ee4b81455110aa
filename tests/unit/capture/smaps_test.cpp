// The kernel's text comes in pieces of any size, and what is in it is partly the program's choice (names of files).
#include "capture/smaps.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace sigwhy::capture {

namespace {

constexpr std::string_view text = R"(00400000-00452000 r-xp 00001000 08:02 173521      /usr/bin/python3 (deleted)
Size:                328 kB
Rss:                 300 kB
Anonymous:             0 kB
Swap:                  0 kB
VmFlags: rd ex mr mw me dw
7f0000000000-7f0040000000 rw-p 00000000 00:00 0
Rss:             1048576 kB
AnonHugePages:      2048 kB
Anonymous:       1048576 kB
Swap:                 12 kB
SwapPss:              99 kB
)";

std::vector<SmapsEntry> read_in_pieces(std::string_view all, std::size_t piece) {
  std::vector<SmapsEntry> found;
  SmapsReader reader([&](const SmapsEntry& e) {
    found.push_back(e);
    found.back().path = {};
  });
  for (std::size_t at = 0; at < all.size(); at += piece) reader.take(all.substr(at, piece));
  reader.end();
  return found;
}

TEST(Smaps, IsTheSameHoweverItIsCut) {
  for (std::size_t piece = 1; piece < text.size() + 2; ++piece) {
    const auto found = read_in_pieces(text, piece);
    ASSERT_EQ(found.size(), 2u) << piece;
    EXPECT_EQ(found[0].start, 0x400000u);
    EXPECT_EQ(found[0].offset, 0x1000u);
    EXPECT_EQ(found[0].inode, 173521u);
    EXPECT_TRUE(found[0].executable);
    EXPECT_EQ(found[0].resident_kib, 300u);
    EXPECT_EQ(found[1].resident_kib, 1048576u);
    EXPECT_EQ(found[1].anonymous_kib, 1048576u);
    EXPECT_EQ(found[1].swap_kib, 12u);
  }
}

TEST(Smaps, SurvivesRubbish) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2000; ++i) {
    std::string rubbish(text);
    for (int flips = 0; flips < 20; ++flips) rubbish[random() % rubbish.size()] = static_cast<char>(random());
    EXPECT_LE(read_in_pieces(rubbish, 1 + random() % 64).size(), 16u);
  }
  EXPECT_TRUE(read_in_pieces(std::string(5000, 'f'), 7).empty());
}

}  // namespace

}  // namespace sigwhy::capture
