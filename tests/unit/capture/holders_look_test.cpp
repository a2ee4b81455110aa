// When the one look at the holders comes: near the limit, earlier where memory grows fast, not for pages of files.
#include "capture/holders_look.h"

#include <gtest/gtest.h>

#include <memory>

namespace sigwhy::capture {
namespace {

constexpr std::uint64_t mib = 1u << 20;

// Ten readings a second up to `last_mib`, growing by so many MiB a second; the limit is 1000 MiB.
std::unique_ptr<RunRecord> grown_to(double last_mib, double mib_a_second) {
  auto r = std::make_unique<RunRecord>();
  r->group.version = 1;
  r->group.limit_bytes = 1000 * mib;
  r->machine.memory_bytes = 64'000 * mib;
  r->machine.available_bytes = 50'000 * mib;
  for (int i = 0; i < 20; ++i) {
    Reading reading{.at_s = i * 0.1};
    for (auto& p : reading.processes) p = {not_read, 0, 0, 0};
    reading.processes[0] = {static_cast<std::uint32_t>(std::max(0.0, last_mib - mib_a_second * (19 - i) * 0.1) * 1024), 0, 0, 0};
    r->recent[r->recent_count++ % record_recent] = reading;
  }
  return r;
}

Nearness at(double last_mib, double mib_a_second) {
  return nearness_of(*grown_to(last_mib, mib_a_second), static_cast<std::uint64_t>(last_mib) * mib);
}

TEST(HoldersLook, ComesNearTheLimit) {
  EXPECT_EQ(at(400, 1), Nearness::far);
  EXPECT_EQ(at(600, 1), Nearness::on_the_way);
  EXPECT_EQ(at(940, 1), Nearness::on_the_way);
  EXPECT_EQ(at(951, 1), Nearness::near);
}

TEST(HoldersLook, ComesEarlierWhereItGrowsFast) {
  EXPECT_EQ(at(870, 80), Nearness::near);
  EXPECT_EQ(at(870, 40), Nearness::on_the_way);
  EXPECT_EQ(at(700, 1200), Nearness::near);
  EXPECT_EQ(at(700, 500), Nearness::on_the_way);
  EXPECT_EQ(at(300, 1200), Nearness::far);
}

TEST(HoldersLook, PagesOfFilesAreNoReason) {
  auto r = grown_to(300, 1);
  r->group.used_bytes = 1000 * mib;
  EXPECT_EQ(nearness_of(*r, 310 * mib), Nearness::far);
}

TEST(HoldersLook, TheMachineCountsToo) {
  auto r = grown_to(300, 1);
  r->group.limit_bytes = 0;
  EXPECT_EQ(nearness_of(*r, 300 * mib), Nearness::far);
  r->machine.available_bytes = 10'000 * mib;
  EXPECT_EQ(nearness_of(*r, 300 * mib), Nearness::on_the_way);
  r->machine.available_bytes = 3'000 * mib;
  EXPECT_EQ(nearness_of(*r, 300 * mib), Nearness::near);
}

}  // namespace
}  // namespace sigwhy::capture
