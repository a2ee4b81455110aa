#include <gtest/gtest.h>

#include <random>

#include "target/target.h"

namespace sigwhy {

TEST(Mappings, ParsesWhatTheKernelWrites) {
  const auto maps = parse_maps(
      "7ffe00000000-7ffe00021000 rw-p 00000000 00:00 0                          [stack]\n"
      "55d000000000-55d000001000 r-xp 00002000 fe:00 1234                       /opt/my app/bin (deleted)\n"
      "7f0000000000-7f0000001000 ---p 00000000 00:00 0 \n");
  ASSERT_EQ(maps.size(), 3u);
  EXPECT_EQ(maps[0].path, "/opt/my app/bin (deleted)");
  EXPECT_EQ(maps[0].offset, 0x2000u);
  EXPECT_TRUE(maps[0].executable);
  EXPECT_FALSE(maps[1].readable);
  EXPECT_EQ(maps[2].path, "[stack]");
  EXPECT_EQ(mapping_at(maps, Address{0x55d000000fff}), 0u);
  EXPECT_EQ(mapping_at(maps, Address{0x55d000001000}), std::nullopt);
  EXPECT_EQ(mapping_at(maps, Address{0}), std::nullopt);
}

TEST(Mappings, NonsenseIsLeftOut) {
  EXPECT_TRUE(parse_maps("").empty());
  EXPECT_TRUE(parse_maps("hello\n\n1-0 rwxp 0 0:0 0\n-").empty());
  std::mt19937 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "55d000000000-55d000001000 r-xp 00002000 fe:00 1234 /x\n";
    for (int i = 0; i < 3; ++i) text[random() % text.size()] = static_cast<char>(random());
    parse_maps(text);
  }
}

}  // namespace sigwhy
