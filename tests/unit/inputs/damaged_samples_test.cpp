// Every format that is one file, on what its own library wrote: sound whole, broken when cut at 200 lengths, and never
// outside the file's bounds, whatever befalls it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "damage.h"

namespace sigwhy::inputs {

namespace {

struct Sample {
  const char* format;
  const char* file;
};

class DamagedSample : public testing::TestWithParam<Sample> {
 protected:
  const std::string whole_ = sample(GetParam().file);
  Checked check(const std::string& bytes) const { return check_bytes(GetParam().format, bytes); }
};

TEST_P(DamagedSample, WholeIsSound) {
  const auto checked = check(whole_);
  EXPECT_EQ(checked.soundness, Soundness::sound) << (checked.flaw ? checked.flaw->what : checked.why);
  EXPECT_FALSE(checked.holds.empty());
}

TEST_P(DamagedSample, CutIsBroken) {
  for (std::size_t i = 1; i <= 200; ++i) {
    const auto length = whole_.size() * i / 201;
    const auto checked = check(whole_.substr(0, length));
    // between two nodes a graph is a legal one; then a remark says what is missing. Between two records nothing can.
    const std::string format = GetParam().format;
    const bool may_be_legal = (format == "graph-def" && !checked.remarks.empty()) ||
                              (format == "tfrecord" && whole_.compare(length, 8, whole_, 0, 8) == 0);
    const bool said = checked.soundness == Soundness::broken || (checked.soundness == Soundness::sound && may_be_legal);
    EXPECT_TRUE(said) << length;
    EXPECT_LE(checked.flaw ? checked.flaw->offset : 0, length);
  }
}

TEST_P(DamagedSample, MutantsAreSurvived) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 3000; ++i) {
    const auto bytes = mutant(whole_, random);
    const auto checked = check(bytes);
    ASSERT_NE(checked.soundness, Soundness::unknown_format);
    ASSERT_EQ(checked.flaw.has_value(), checked.soundness == Soundness::broken);
    ASSERT_LE(checked.flaw ? checked.flaw->offset : 0, bytes.size());
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, DamagedSample,
                         testing::Values(Sample{"tflite", "dense.tflite"}, Sample{"graph-def", "frozen_graph.pb"},
                                         Sample{"saved-model", "affine/saved_model.pb"}, Sample{"hdf5", "dense.h5"},
                                         Sample{"hdf5", "chunked.h5"}, Sample{"hdf5", "latest.h5"},
                                         Sample{"torch", "state.pt"}, Sample{"tfrecord", "digits.tfrecord"},
                                         Sample{"tfrecord", "digits.tfrecord.gz"},
                                         Sample{"tfrecord", "digits.tfrecord.zlib"}, Sample{"gzip", "text.gz"},
                                         Sample{"npy", "floats.npy"}, Sample{"npy", "fields.npy"},
                                         Sample{"npz", "stored.npz"}, Sample{"npz", "deflated.npz"},
                                         Sample{"zip", "state.pt"}, Sample{"keras", "dense.keras"},
                                         Sample{"safetensors", "weights.safetensors"}),
                         [](const auto& named) {
                           std::string name = std::string(named.param.format) + "_" + named.param.file;
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
                           return name;
                         });

}  // namespace

}  // namespace sigwhy::inputs
