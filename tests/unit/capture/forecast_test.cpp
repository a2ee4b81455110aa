// The forecast speaks of steady growth towards a limit, and of nothing else.
#include "capture/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "capture/develop_timeline.h"
#include "capture/plain_words.h"

namespace sigwhy::capture {
namespace {

constexpr std::uint32_t mib = 1024;  // in KiB

template <class F>
std::unique_ptr<RunRecord> run(double seconds, F used_mib) {
  auto r = std::make_unique<RunRecord>();
  r->version = run_record_version;
  r->bytes = sizeof *r;
  r->stride = 1;
  r->group.version = 1;
  r->group.limit_bytes = std::uint64_t{8} << 30;
  r->machine.memory_bytes = std::uint64_t{64} << 30;
  std::strcpy(r->group.path, "/job_17");
  const int readings = 200;
  for (int i = 0; i < readings; ++i) {
    const double at_s = seconds * i / readings;
    Reading reading{.at_s = at_s, .group_kib = static_cast<std::uint32_t>(used_mib(at_s) * mib)};
    for (auto& p : reading.processes) p = {not_read, 0, 0, 0};
    r->kept[r->kept_count++] = reading;
  }
  r->last_s = seconds;
  return r;
}

std::optional<Forecast> of(const RunRecord& r) { return forecast_of(r, timeline_of(r)); }

TEST(Forecast, SteadyGrowthMeetsTheLimit) {
  auto r = run(600, [](double s) { return 1000 + 4 * s + 20 * std::sin(s); });
  r->step_count = 1;
  std::strcpy(r->steps[0].name, "step");
  for (int i = 0; i < 40; ++i) r->steps[0].values[r->steps[0].count++] = {i * 15.0, i * 300};
  std::strcpy(r->line.file, "/home/ada/nets/train.py");
  r->line.line = 88;
  const auto f = of(*r);
  ASSERT_TRUE(f);
  EXPECT_NEAR(f->left_s, (8192 - 1000 - 2400) / 4.0, 60);
  EXPECT_NEAR(static_cast<double>(*f->step), 20 * (600 + f->left_s), 1500);
  EXPECT_EQ(words_of(*f, timeline_of(*r)), "at this rate 8 GiB is reached in 20 min, near step 36,000; now at train.py:88");
}

TEST(Forecast, FlatSawtoothAndShrinkingSayNothing) {
  EXPECT_FALSE(of(*run(600, [](double s) { return 4000 + 20 * std::sin(s); })));
  EXPECT_FALSE(of(*run(600, [](double s) { return 2000 + 40 * std::fmod(s, 60); })));
  EXPECT_FALSE(of(*run(600, [](double s) { return 6000 - 5 * s; })));
}

TEST(Forecast, LoadingThatHasEndedSaysNothing) {
  EXPECT_FALSE(of(*run(600, [](double s) { return s < 300 ? 10 * s : 3000 + 5 * std::sin(s); })));
}

TEST(Forecast, NotBeforeThereIsEnoughToSee) {
  EXPECT_FALSE(of(*run(5, [](double s) { return 1000 + 100 * s; })));
}

TEST(Forecast, NotFarBeyondWhatWasSeen) {
  EXPECT_FALSE(of(*run(60, [](double s) { return 100 + 3 * s; })));
}

TEST(Forecast, SaidOnceAndAgainOnlyWhenMoreCertain) {
  ForecastLine line;
  const auto r = run(600, [](double s) { return 1000 + 4 * s + 100 * std::sin(s); });
  const auto nobody = [] { return static_cast<const RecordedHolders*>(nullptr); };
  EXPECT_TRUE(line.next(*r, nobody));
  EXPECT_FALSE(line.next(*r, nobody));
}

TEST(PlainWords, Numbers) {
  EXPECT_EQ(number_words(31000), "31,000");
  EXPECT_EQ(number_words(-1234567), "-1,234,567");
  EXPECT_EQ(number_words(7), "7");
  EXPECT_EQ(rounded(31234), 31000);
  EXPECT_EQ(rounded(42), 42);
  EXPECT_EQ(size_words(8.0 * (1 << 30)), "8 GiB");
}

}  // namespace
}  // namespace sigwhy::capture
