// The user's own Python lines come first; where it died inside a package, that one line too.
#include "report/python_places.h"

#include <gtest/gtest.h>

namespace sigwhy::report {

static Snapshot at_home() {
  Snapshot s;
  s.process.directory = "/home/ada/nets";
  return s;
}

TEST(PythonPlaces, OwnLinesFirstThenWhereItDied) {
  Thread t;
  t.python = {{.file = "/opt/venv/lib/python3.11/site-packages/numpy/_methods.py", .function = "_sum", .line = 49},
              {.file = "/home/ada/nets/train.py", .function = "step", .line = 57, .text = "return x.sum()"},
              {.file = "/usr/lib/python3.11/threading.py", .function = "run", .line = 982},
              {.file = "train.py", .function = "<module>"}};
  const auto rows = python_places(at_home(), t);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].source, "return x.sum()");
  EXPECT_EQ(rows[0].cells, (std::vector<std::string>{"train.py:57", "step", ""}));
  EXPECT_EQ(rows[1].cells, (std::vector<std::string>{"train.py", "<module>", ""}));
  EXPECT_EQ(rows[2].cells, (std::vector<std::string>{"_methods.py:49", "_sum", ""}));
}

TEST(PythonPlaces, NothingForAThreadWithoutPython) { EXPECT_TRUE(python_places(at_home(), {}).empty()); }

TEST(PythonPlaces, AtMostThreeOwnLines) {
  Thread t;
  for (int i = 0; i < 9; ++i) t.python.push_back({.file = "deep.py", .function = "f", .line = i});
  EXPECT_EQ(python_places(at_home(), t).size(), 3u);
}

}  // namespace sigwhy::report
