// An index that still stands in the array it came from, and numbers that only stand beside.
#include "native/counted_index.h"

#include <gtest/gtest.h>

#include <cstring>

#include "native/regions.h"
#include "target/saved.h"

namespace sigwhy::native {
namespace {

constexpr std::uint64_t heap = 0x555555600000, elements_at = 0x555555600100;
constexpr auto maps = "555555600000-555555621000 rw-p 00000000 00:00 0 [heap]\n";

std::optional<CountedIndex> found(std::uint64_t address, const std::vector<std::int64_t>& numbers, std::uint64_t item_bytes = 8,
                                  std::uint64_t base = 0, const std::vector<Array>& tables = {}) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(std::int64_t));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  Target target;
  target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{{{elements_at}, bytes}});
  target.mappings = parse_maps(maps);
  user_regs_struct registers{};
  registers.rbx = base;
  target.threads.push_back({.tid = 1, .died = true, .registers = registers});
  Array ids{.name = "ids", .dtype = "int64", .item_bytes = item_bytes, .data = Address{elements_at}, .bytes = bytes.size()};
  Fault fault{.access = Access::read, .address = Address{address}};
  std::vector<Array> arrays = tables;
  arrays.push_back(ids);
  return counted_index(target, fault, regions_of(target), arrays);
}

TEST(CountedIndex, FromTheRegisterThatHoldsTheBase) {
  const auto index = found(heap + 24 * 300'000'000ull, {3, 300'000'000}, 8, heap);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->element, 1u);
  EXPECT_EQ(index->number, 300'000'000);
  EXPECT_EQ(index->bytes_each, 24u);
  EXPECT_EQ(index->base, "rbx");
}

TEST(CountedIndex, BelowTheBase) {
  const auto index = found(heap - 8 * 90'000ull, {-90'000}, 8, heap);
  ASSERT_TRUE(index);
  EXPECT_EQ(index->bytes_each, 8u);
}

TEST(CountedIndex, FromFarAwayWithoutTheBase) {
  const auto index = found(heap + 0x200 + 32 * 900'000'000ull, {900'000'000});
  ASSERT_TRUE(index);
  EXPECT_FALSE(index->base);
  EXPECT_FALSE(found(heap + 0x200 + 32 * 900'000'000ull, {900'000'000, 1 << 21, 1 << 22, 1 << 23, 1 << 24}));  // one of many
}

TEST(CountedIndex, NotANumberThatLeadsElsewhere) {
  EXPECT_FALSE(found(heap + 25 * 300'000'000ull, {300'000'000}, 8, heap + 5));
  EXPECT_FALSE(found(heap + 0x30000, {3, 17}, 8, heap));
}

TEST(CountedIndex, ARowThatATableDoesNotHave) {
  const Array table{.name = "table", .dtype = "float32", .item_bytes = 4, .shape = {3000, 512}, .strides = {{2048, 4}}, .data = Address{heap}};
  const auto index = found(heap + 151'643 * 2048ull, {1, 2999, 151'643}, 8, 0, {table});
  ASSERT_TRUE(index);
  EXPECT_EQ(index->rows_of, 0u);
  EXPECT_EQ(index->element, 2u);
  EXPECT_EQ(index->bytes_each, 2048u);
  EXPECT_TRUE(found(heap + 151'643 * 2048ull + 96, {151'643}, 8, 0, {table}));   // a page of the row was there
  EXPECT_FALSE(found(heap + 151'644 * 2048ull + 96, {151'643}, 8, 0, {table}));  // another row
  EXPECT_FALSE(found(heap + 2999 * 2048ull, {2999}, 8, 0, {table}));             // that one it has
  EXPECT_FALSE(found(heap + 96, {INT64_MAX, INT64_MIN}, 8, 0, {table}));
}

TEST(CountedIndex, WhatADamagedObjectSays) {
  EXPECT_FALSE(found(heap + 24 * 300'000'000ull, {300'000'000}, 0, heap));
  EXPECT_FALSE(found(heap + 24 * 300'000'000ull, {INT64_MIN, INT64_MAX}, 8, heap));
  EXPECT_FALSE(found(~0ull - 8, {INT64_MIN, -4097}, 8, heap));
}

}  // namespace
}  // namespace sigwhy::native
