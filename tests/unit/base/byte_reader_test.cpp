#include "base/byte_reader.h"

#include <gtest/gtest.h>

#include "base/address.h"

namespace sigwhy {

TEST(ByteReader, StaysFailedAfterTheEnd) {
  const std::byte bytes[6] = {std::byte{1}, std::byte{0}, std::byte{0}, std::byte{0}, std::byte{7}, std::byte{8}};
  ByteReader in(bytes);
  EXPECT_EQ(in.read<std::uint32_t>(), 1u);
  EXPECT_EQ(in.read<std::uint32_t>(), 0u);
  EXPECT_TRUE(in.failed());
  EXPECT_EQ(in.read<std::uint8_t>(), 0);  // would fit, but what follows a failure means nothing
  EXPECT_EQ(in.left(), 0u);
}

TEST(ByteReader, RefusesSizesThatWrap) {
  const std::byte bytes[4] = {};
  ByteReader in(bytes);
  EXPECT_TRUE(in.take(~std::size_t{0}).empty());
  EXPECT_TRUE(in.failed());
}

TEST(Address, KnowsWhatTheCpuCannotAddress) {
  EXPECT_TRUE(Address{0x7fffffffffff}.canonical());
  EXPECT_TRUE(Address{0xffffffffffffffd0}.canonical());
  EXPECT_FALSE(Address{0xbfc00000bfc00000}.canonical());
  EXPECT_EQ(Address{16} - Address{24}, -8);
}

}  // namespace sigwhy
