#include "capture/map_table.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <memory>
#include <random>
#include <sstream>
#include <string>

#include "target/target.h"

namespace sigwhy::capture {

// The table for the stop path and the parser of the developing process must see the same address space.
TEST(MapTable, AgreesWithTheOtherParser) {
  std::ifstream file("/proc/self/maps");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto table = std::make_unique<MapTable>();
  table->parse(text);
  const auto maps = parse_maps(text);
  ASSERT_EQ(static_cast<std::size_t>(table->end() - table->begin()), maps.size());
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const auto& e = table->begin()[i];
    EXPECT_EQ(e.start, maps[i].start.value);
    EXPECT_EQ(e.end, maps[i].end.value);
    EXPECT_EQ(e.writable, maps[i].writable);
    EXPECT_EQ(e.offset, maps[i].offset);
    EXPECT_EQ(table->path(e), maps[i].path);
    EXPECT_EQ(table->at(Address{e.end - 1}), &e);
  }
  EXPECT_EQ(table->at(Address{0}), nullptr);
}

TEST(MapTable, LibrariesBehindThousandsOfMappingsAreKept) {
  std::ostringstream text;
  for (std::uint64_t i = 1; i <= 20000; ++i)
    text << std::hex << (i << 16) << "-" << (i << 16) + 4096 << " rw-s 00000000 00:01 9 /dev/zero (deleted)\n";
  text << "7f0000000000-7f0000001000 r--p 00000000 fe:00 77 /usr/lib/libpython3.11.so.1.0\n"
       << "7ffc00000000-7ffc00021000 rw-p 00000000 00:00 0 [stack]\n";
  const std::string lines = text.str();
  const auto table = std::make_unique<MapTable>();
  table->parse(lines);
  EXPECT_FALSE(table->whole());
  EXPECT_NE(table->at(Address{1u << 16}), nullptr);
  const auto* library = table->at(Address{0x7f0000000000});
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(table->name(*library), "libpython3.11.so.1.0");
  EXPECT_NE(table->at(Address{0x7ffc00000000}), nullptr);
}

TEST(MapTable, NonsenseIsSurvived) {
  const auto table = std::make_unique<MapTable>();
  std::mt19937 random(4);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "55d000000000-55d000001000 r-xp 00002000 fe:00 1234 /x\n7f00-7f01 rw-p 0 0:0 0 [heap]\n";
    for (int i = 0; i < 4; ++i) text[random() % text.size()] = static_cast<char>(random());
    table->parse(text);
    for (const auto& e : *table) table->name(e);
  }
}

}  // namespace sigwhy::capture
