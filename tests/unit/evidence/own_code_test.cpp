#include "evidence/own_code.h"

#include <gtest/gtest.h>

namespace sigwhy {
namespace {

PythonFrame frame_in(std::string file) {
  PythonFrame frame;
  frame.file = std::move(file);
  return frame;
}

// TensorFlow writes the Python side of a custom op as text and runs it.
TEST(OwnCode, CodeFromAStringBelongsToTheFileThatRanIt) {
  const std::vector<PythonFrame> frames = {frame_in("/usr/lib/python3/dist-packages/tensorflow/execute.py"),
                                           frame_in("<string>"), frame_in("/home/ada/nets/train.py")};
  EXPECT_FALSE(is_own_code(frames, 1));
  EXPECT_EQ(first_own(frames), 2u);
}

TEST(OwnCode, BelowPythonMinusCTheStringIsTheProgram) {
  const std::vector<PythonFrame> frames = {frame_in("/usr/lib/python3/dist-packages/numpy/core.py"), frame_in("<string>"),
                                           frame_in("<string>")};
  EXPECT_EQ(first_own(frames), 1u);
}

TEST(OwnCode, AStackOfPackagesHasNone) {
  EXPECT_EQ(first_own({frame_in("/usr/lib/python3/dist-packages/numpy/core.py")}), std::nullopt);
}

}  // namespace
}  // namespace sigwhy
