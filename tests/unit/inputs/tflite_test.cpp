#include <gtest/gtest.h>

#include <cstring>

#include "damage.h"

namespace sigwhy::inputs {

namespace {

std::uint32_t number_at(const std::string& bytes, std::uint64_t at) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::string with_number(std::string bytes, std::uint64_t at, std::uint32_t value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

Checked check(const std::string& bytes) { return check_bytes("tflite", bytes); }

// Of a cut file the offset named leads past the end, and that of the whole file to what it says.
TEST(Tflite, NamesTheOffsetThatLeadsOutside) {
  const auto whole = sample("dense.tflite");
  for (std::size_t length = 64; length < whole.size(); length += 8) {
    const auto checked = check(whole.substr(0, length));
    ASSERT_TRUE(checked.flaw) << length;
    const auto at = checked.flaw->offset;
    const bool outside = at + 4 <= length && at + number_at(whole, at) + 4 > length;  // an offset or a count
    const bool vtable = checked.flaw->what.find("vtable") != std::string::npos;
    EXPECT_TRUE(outside || vtable || at == length) << length << " " << checked.flaw->where << " " << checked.flaw->what;
  }
}

TEST(Tflite, NamesTheFieldThatWasChanged) {
  const auto whole = sample("dense.tflite");
  const auto root = number_at(whole, 0);
  const auto checked = check(with_number(whole, 0, 0x10000));
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->offset, 0u);
  const auto loop = check(with_number(whole, root, 0x7fffffff));  // the way back to the vtable
  ASSERT_TRUE(loop.flaw);
  EXPECT_EQ(loop.flaw->offset, root);
}

TEST(Tflite, AnotherIdentifierIsNamed) {
  auto bytes = sample("dense.tflite");
  bytes[5] = 'X';
  const auto checked = check(bytes);
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->offset, 4u);
  EXPECT_EQ(check("").flaw->offset, 0u);
}

// Every byte that is a tensor's number, an operator's code or a buffer's number is checked against their counts: what
// remains sound after a bit was turned is names, weights and options.
TEST(Tflite, MostTurnedBitsAreFound) {
  const auto whole = sample("dense.tflite");
  std::size_t found = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    const auto checked = check(with_bit_turned(whole, at, 6));
    if (checked.soundness != Soundness::broken) continue;
    ++found;
    EXPECT_LE(checked.flaw->offset, whole.size());
  }
  EXPECT_GT(found, whole.size() / 2);
}

// A vector of offsets that all lead to one table with such a vector: 64 deep, each twice, would be 2^64 visits.
TEST(Tflite, AGraphThatNeverEndsEnds) {
  auto bytes = sample("dense.tflite");
  std::mt19937_64 random(3);
  for (int i = 0; i < 300; ++i) {
    auto hostile = bytes;
    for (std::size_t at = 32; at + 4 <= hostile.size(); at += 4)
      if (random() % 3 == 0) hostile = with_number(hostile, at, static_cast<std::uint32_t>(random() % 64));
    EXPECT_NE(check(hostile).soundness, Soundness::unknown_format);
  }
}

}  // namespace

}  // namespace sigwhy::inputs
