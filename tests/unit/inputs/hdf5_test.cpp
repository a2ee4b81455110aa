#include <gtest/gtest.h>

#include "damage.h"
#include "inputs/hdf5_walk.h"

namespace sigwhy::inputs {

namespace {

TEST(Hdf5, ChecksumIsJenkinsLookup3) {
  EXPECT_EQ(hdf5_checksum(""), 0xdeadbeefu);
  EXPECT_EQ(hdf5_checksum("Four score and seven years ago"), 0x17770551u);  // as its author gives it
}

TEST(Hdf5, ACutFileSaysWhatIsMissing) {
  for (const auto name : {"dense.h5", "chunked.h5", "latest.h5"}) {
    const auto whole = sample(name);
    const auto checked = check_bytes("hdf5", whole.substr(0, whole.size() - 100));
    ASSERT_TRUE(checked.flaw) << name;
    EXPECT_EQ(checked.flaw->offset, whole.size() - 100);
    EXPECT_NE(checked.flaw->what.find("so 100 are missing"), std::string::npos) << checked.flaw->what;
  }
}

// Each header of version 2 has a checksum: a bit turned in it is found, and the header's first byte is named.
TEST(Hdf5, ATurnedBitInACheckedHeaderIsFoundThere) {
  const auto whole = sample("latest.h5");
  std::size_t headers = 0;
  for (auto at = whole.find("OHDR"); at != std::string::npos; at = whole.find("OHDR", at + 1), ++headers) {
    for (std::size_t inside = 10; inside < 60; ++inside) {
      const auto checked = check_bytes("hdf5", with_bit_turned(whole, at + inside, 2));
      ASSERT_TRUE(checked.flaw) << at + inside;
      EXPECT_EQ(checked.flaw->offset, at);
    }
  }
  EXPECT_EQ(headers, 5u);
}

TEST(Hdf5, ATurnedBitInASignatureIsFoundThere) {
  for (const auto name : {"dense.h5", "chunked.h5"}) {
    const auto whole = sample(name);
    for (const auto signature : {"TREE", "HEAP", "SNOD", "GCOL"})
      for (auto at = whole.find(signature); at != std::string::npos; at = whole.find(signature, at + 1)) {
        const auto checked = check_bytes("hdf5", with_bit_turned(whole, at + 1, 0));
        ASSERT_TRUE(checked.flaw) << name << " " << signature << " at " << at;
        EXPECT_EQ(checked.flaw->offset, at);
      }
  }
}

TEST(Hdf5, NumbersMayChange) {
  const auto whole = sample("dense.h5");
  const auto checked = check_bytes("hdf5", whole);
  ASSERT_EQ(checked.soundness, Soundness::sound);
  EXPECT_EQ(checked.holds, "9 groups, 4 datasets");
  ASSERT_FALSE(checked.remarks.empty());
}

}  // namespace

}  // namespace sigwhy::inputs
