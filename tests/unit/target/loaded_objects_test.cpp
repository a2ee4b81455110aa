// The loader's list of this very process, against what the loader itself says.
#include "target/loaded_objects.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <link.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <array>

#include "target/live.h"

namespace sigwhy {
namespace {

std::vector<std::uint64_t> dynamic_sections() {
  std::vector<std::uint64_t> all;
  for (auto* map = _r_debug.r_map; map; map = map->l_next) all.push_back(reinterpret_cast<std::uint64_t>(map->l_ld));
  return all;
}

TEST(LoadedObjects, OfThisProcess) {
  const LiveMemory memory(getpid());
  std::array<LoadedObject, 256> objects;
  const auto found = read_loaded_objects(memory, Address{getauxval(AT_BASE)}, objects);
  const auto expected = dynamic_sections();
  ASSERT_EQ(found.count, expected.size());
  EXPECT_TRUE(found.whole);
  for (std::size_t i = 0; i < found.count; ++i) EXPECT_EQ(objects[i].dynamic.value, expected[i]);
  EXPECT_TRUE(found.global_known);
  EXPECT_TRUE(objects[0].global);
}

TEST(LoadedObjects, SurviveBeingWritten) {
  const std::array<LoadedObject, 2> objects = {
      {{.dynamic = Address{0x7f0012345678}, .global = true}, {.dynamic = Address{0x1000}}}};
  std::array<char, 256> text;
  const auto size = write_loaded_objects({.count = 2, .whole = true, .global_known = true}, objects, text);
  std::vector<LoadedObject> read;
  const auto found = parse_loaded_objects({text.data(), size}, read);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_TRUE(found.whole && found.global_known);
  EXPECT_EQ(read[0].dynamic, objects[0].dynamic);
  EXPECT_TRUE(read[0].global);
  EXPECT_FALSE(read[1].global);
}

TEST(LoadedObjects, OfNonsense) {
  std::vector<LoadedObject> read;
  for (const char* text : {"", "whole", "whole known\n", "part -\nzz g\n", "\n\n\n", "whole known\n12"})
    EXPECT_EQ(parse_loaded_objects(text, read).count, 0u) << text;
  std::array<LoadedObject, 4> objects;
  EXPECT_EQ(read_loaded_objects(LiveMemory(getpid()), Address{16}, objects).count, 0u);
}

}  // namespace
}  // namespace sigwhy
