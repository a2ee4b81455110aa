// Which imports break each other, on rows of imports whose outcome is given.
#include "experiment/import_trials.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sigwhy::experiment {

using Modules = std::vector<std::string>;

static bool comes_before(const Modules& modules, const char* a, const char* b) {
  const auto first = std::ranges::find(modules, a), second = std::ranges::find(modules, b);
  return second != modules.end() && first < second;
}

static std::vector<Concern> tried(const Modules& modules, std::function<bool(const Modules&)> breaks) {
  std::vector<TriedImport> imports;
  for (const auto& module : modules) imports.push_back({module});
  return *try_imports(imports, [&](const Modules& row) -> Result<Trial> {
    Trial trial;
    trial.wait_status = breaks(row) ? 6 : 0;
    return trial;
  });
}

TEST(ImportTrials, NothingBreaks) { EXPECT_TRUE(tried({"a", "b"}, [](const Modules&) { return false; }).empty()); }

TEST(ImportTrials, EveryPairIsFoundWhereverItStands) {
  const Modules names = {"a", "b", "c", "d", "e", "f", "g"};
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t k = i + 1; k < names.size(); ++k) {
      const auto concerns = tried(names, [&](const Modules& row) { return comes_before(row, names[i].c_str(), names[k].c_str()); });
      ASSERT_EQ(concerns.size(), 1u);
      EXPECT_EQ(concerns[0].claim, names[i] + " and " + names[k] + " break each other: " + names[k] + " fails once " + names[i] + " is imported");
      EXPECT_EQ(concerns[0].fix.at(0), "import " + names[k] + " before " + names[i] + ": in that order both load");
    }
}

TEST(ImportTrials, ThreeThatBreakOnlyTogether) {
  const auto concerns = tried({"a", "b", "c", "d", "e"}, [](const Modules& row) { return comes_before(row, "b", "c") && comes_before(row, "c", "e"); });
  ASSERT_EQ(concerns.size(), 1u);
  EXPECT_EQ(concerns[0].claim, "e fails once b, c, d are imported before it");
}

TEST(ImportTrials, OneThatFailsAloneIsLeftOutOfTheRest) {
  const auto concerns = tried({"a", "bad", "c"}, [](const Modules& row) { return std::ranges::count(row, "bad") > 0; });
  ASSERT_EQ(concerns.size(), 1u);
  EXPECT_EQ(concerns[0].claim, "import bad fails by itself");
}

}  // namespace sigwhy::experiment
