// A checkpoint is several files. The index and every tensor have checksums: no changed bit goes unseen.
#include <gtest/gtest.h>

#include "damage.h"

namespace sigwhy::inputs {

namespace {

constexpr const char* shard_name = "state.data-00000-of-00001";

class Checkpoint : public testing::Test {
 protected:
  const std::string index_ = sample("state.index"), shard_ = sample(shard_name);
  Folder folder_;

  Checked check(const std::string& index, const std::string& shard) const {
    folder_.put("state.index", index);
    folder_.put(shard_name, shard);
    return find_format("checkpoint")->check_place(folder_.path("state"));
  }
};

TEST_F(Checkpoint, WholeIsSound) {
  const auto checked = check(index_, shard_);
  EXPECT_EQ(checked.soundness, Soundness::sound) << (checked.flaw ? checked.flaw->what : checked.why);
  EXPECT_EQ(checked.holds, "3 tensors, 1 shard");
}

TEST_F(Checkpoint, ACutShardIsNamedWithItsEnd) {
  for (std::size_t length = 0; length < shard_.size(); ++length) {
    const auto checked = check(index_, shard_.substr(0, length));
    ASSERT_TRUE(checked.flaw) << length;
    EXPECT_TRUE(checked.flaw->offset == length || length == 0);
    EXPECT_EQ(checked.flaw->inside, shard_name);
  }
}

TEST_F(Checkpoint, ACutIndexIsBroken) {
  for (std::size_t length = 0; length < index_.size(); ++length) {
    const auto checked = check(index_.substr(0, length), shard_);
    EXPECT_TRUE(checked.flaw && checked.flaw->inside == "state.index") << length;
  }
}

TEST_F(Checkpoint, EveryTurnedBitOfTheShardIsFoundInItsTensor) {
  for (std::size_t at = 0; at < shard_.size(); ++at) {
    const auto checked = check(index_, with_bit_turned(shard_, at, static_cast<int>(at % 8)));
    ASSERT_TRUE(checked.flaw) << at;
    EXPECT_LE(checked.flaw->offset, at);  // the tensor it lies in begins before
    EXPECT_EQ(checked.flaw->inside, shard_name);
  }
}

// But for the footer's padding, which nothing reads.
TEST_F(Checkpoint, EveryTurnedBitOfTheIndexIsFound) {
  std::size_t unseen = 0;
  for (std::size_t at = 0; at < index_.size(); ++at) unseen += !check(with_bit_turned(index_, at, 3), shard_).flaw;
  EXPECT_LE(unseen, 40u);
}

TEST_F(Checkpoint, AMissingShardIsNamed) {
  folder_.put("alone.index", index_);
  const auto checked = find_format("checkpoint")->check_place(folder_.path("alone"));
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->inside, "alone.data-00000-of-00001");
}

TEST_F(Checkpoint, MutantsAreSurvived) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 300; ++i) {
    const auto checked = check(mutant(index_, random), shard_);
    ASSERT_NE(checked.soundness, Soundness::unknown_format);
  }
}

TEST(SavedModelFolder, LooksAtItsVariables) {
  const Folder folder;
  for (const auto name : {"saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"})
    folder.put(name, sample(std::string("affine/") + name));
  const auto place = folder.path("");
  EXPECT_EQ(find_format("saved-model")->check_place(place).soundness, Soundness::sound);
  auto shard = sample("affine/variables/variables.data-00000-of-00001");
  folder.put("variables/variables.data-00000-of-00001", with_bit_turned(shard, shard.size() - 1, 0));
  const auto checked = find_format("saved-model")->check_place(place);
  ASSERT_TRUE(checked.flaw);
  EXPECT_EQ(checked.flaw->inside, "variables/variables.data-00000-of-00001");
}

}  // namespace

}  // namespace sigwhy::inputs
