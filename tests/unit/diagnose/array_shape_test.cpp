// Shapes and strides as bytes: forwards, backwards, broadcast, overlapping, and numbers that a program made up.
#include "diagnose/array_shape.h"

#include <gtest/gtest.h>

namespace sigwhy::diagnose {

static Array array(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides, std::uint64_t data = 0x10000,
                   std::uint64_t item = 8) {
  Array a{.name = "a", .dtype = "float64", .item_bytes = item, .shape = std::move(shape), .data = Address{data}};
  a.strides = std::move(strides);
  a.bytes = element_count(a) * item;
  return a;
}

using Index = std::vector<std::int64_t>;

TEST(ArrayShape, RowsAndColumns) {
  const auto a = array({3, 4}, {32, 8});
  EXPECT_EQ(elements_of(a)->low, 0x10000u);
  EXPECT_EQ(elements_of(a)->high, 0x10000u + 96);
  EXPECT_TRUE(is_contiguous(a));
  EXPECT_EQ(element_at(a, 0x10000 + 32 + 8), (Index{1, 1}));
  EXPECT_EQ(element_at(a, 0x10000 + 95), (Index{2, 3}));
  EXPECT_EQ(element_at(a, 0x10000 + 96), std::nullopt);
  EXPECT_EQ(element_at(a, 0x10000 - 1), std::nullopt);
}

TEST(ArrayShape, BackwardsCountsFromTheEnd) {
  const auto a = array({4}, {-8}, 0x10018);
  EXPECT_EQ(elements_of(a)->low, 0x10000u);
  EXPECT_EQ(elements_of(a)->high, 0x10020u);
  EXPECT_EQ(element_at(a, 0x10018), (Index{0}));
  EXPECT_EQ(element_at(a, 0x10000), (Index{3}));
  EXPECT_FALSE(is_contiguous(a));
}

TEST(ArrayShape, TransposedAndSliced) {
  EXPECT_EQ(element_at(array({4, 3}, {8, 32}), 0x10000 + 2 * 32 + 8), (Index{1, 2}));
  const auto every_other = array({4}, {16});
  EXPECT_EQ(element_at(every_other, 0x10010), (Index{1}));
  EXPECT_EQ(element_at(every_other, 0x10008), std::nullopt) << "between two elements";
}

TEST(ArrayShape, BroadcastTakesNoRoom) {
  const auto a = array({1000, 2}, {0, 8});
  EXPECT_EQ(elements_of(a)->bytes(), 16u);
  EXPECT_EQ(element_at(a, 0x10008), (Index{0, 1}));
  EXPECT_FALSE(has_distinct_elements(a));
}

TEST(ArrayShape, WindowsShareElements) {
  EXPECT_FALSE(has_distinct_elements(array({10, 4}, {8, 8})));
  EXPECT_TRUE(has_distinct_elements(array({10, 4}, {80, 8})));
  EXPECT_TRUE(element_at(array({10, 4}, {8, 8}), 0x10000 + 96).has_value());
}

TEST(ArrayShape, EmptyAndScalar) {
  EXPECT_EQ(elements_of(array({0, 4}, {32, 8})), std::nullopt);
  EXPECT_EQ(element_count(array({0, 4}, {32, 8})), 0u);
  EXPECT_EQ(element_at(array({}, {}), 0x10007), Index{});
}

TEST(ArrayShape, LeavesItsMemory) {
  auto a = array({1000, 8}, {80, 8});
  EXPECT_FALSE(leaves_memory(a)) << "its memory is not known";
  a.memory_start = Address{0x10000};
  a.memory_bytes = 8000;
  EXPECT_TRUE(leaves_memory(a));
  a.shape = {91, 8};
  EXPECT_FALSE(leaves_memory(a));
  a.memory_bytes = 7263;
  EXPECT_TRUE(leaves_memory(a));
  a.memory_start = Address{0x10008};
  EXPECT_FALSE(leaves_memory(a)) << "memory that it does not start in is not its own";
}

TEST(ArrayShape, MadeUpNumbersFitNowhere) {
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(elements_of(array({most, most}, {most, most})), std::nullopt);
  EXPECT_EQ(elements_of(array({most}, {std::numeric_limits<std::int64_t>::min()})), std::nullopt);
  EXPECT_FALSE(is_contiguous(array({most, most, most}, {8, 8, 8})));
  EXPECT_FALSE(has_distinct_elements(array({most, most}, {most, most})));
  auto a = array({4}, {8});
  a.strides = std::vector<std::int64_t>{8, 8};
  EXPECT_EQ(element_at(a, 0x10008), (Index{1})) << "strides that do not fit the shape are not believed";
}

}  // namespace sigwhy::diagnose
