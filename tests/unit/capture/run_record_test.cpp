// The record of a run: whatever moment its writer was killed at, one slot is whole; bytes that lie give less, never
// a fault.
#include "capture/run_record.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>

#include "base/crc32c.h"
#include "capture/develop_timeline.h"

namespace sigwhy::capture {
namespace {

std::unique_ptr<RunRecord> record_with(std::uint32_t readings) {
  auto r = std::make_unique<RunRecord>();
  r->version = run_record_version;
  r->bytes = sizeof *r;
  r->stride = 2;
  r->tick_s = 0.1;
  r->processes[0] = {.pid = 7, .count = 1, .command = "python3"};
  for (std::uint32_t i = 0; i < readings; ++i) {
    Reading reading{.at_s = i * 0.2, .group_kib = 1000 + i};
    for (auto& p : reading.processes) p = {not_read, 0, 0, 0};
    reading.processes[0] = {100 + i, 50, 1, 0};
    r->kept[r->kept_count++] = reading;
    r->recent[r->recent_count++ % record_recent] = reading;
  }
  return r;
}

std::string bytes_of(const RunRecord& r) { return {reinterpret_cast<const char*>(&r), sizeof r}; }

TEST(RunRecord, KnownChecksum) {
  EXPECT_EQ(crc32c(std::as_bytes(std::span("123456789", 9))), 0xe3069283u);
}

TEST(RunRecord, NewestWholeSlotIsFound) {
  const auto slots = std::make_unique<RecordSlots>();
  EXPECT_EQ(newest_of(*slots, true), nullptr);
  publish(*slots, *record_with(10), true);
  publish(*slots, *record_with(11), true);
  const auto* newest = newest_of(*slots, true);
  ASSERT_TRUE(newest);
  EXPECT_EQ(newest->kept_count, 11u);
}

// As if the writer had been killed while it wrote.
TEST(RunRecord, TornSlotLeavesTheOlderOne) {
  const auto slots = std::make_unique<RecordSlots>();
  for (std::uint32_t n = 10; n < 14; ++n) publish(*slots, *record_with(n), true);
  const auto* newest = newest_of(*slots, true);
  auto& slot = slots->slot[newest == &slots->slot[1].record];
  slot.begun.store(slot.begun.load() + 2);
  ASSERT_TRUE(newest_of(*slots, true));
  EXPECT_EQ(newest_of(*slots, true)->kept_count, 12u);
}

TEST(RunRecord, DamageOnDiskIsSeen) {
  const auto slots = std::make_unique<RecordSlots>();
  publish(*slots, *record_with(10), true);
  publish(*slots, *record_with(11), true);
  reinterpret_cast<std::byte*>(const_cast<RunRecord*>(newest_of(*slots, true)))[5000] ^= std::byte{1};
  EXPECT_EQ(newest_of(*slots, true)->kept_count, 10u);
}

TEST(RunRecord, WhatIsAddedReachesBothSlots) {
  const auto slots = std::make_unique<RecordSlots>();
  for (std::uint32_t n = 1; n < 60; ++n) publish(*slots, *record_with(n), true);
  const auto expected = record_with(59);
  EXPECT_EQ(std::memcmp(newest_of(*slots, true)->kept, expected->kept, 59 * sizeof(Reading)), 0);
}

TEST(Timeline, ReadingsInTheOrderOfTime) {
  const auto timeline = timeline_of(*record_in(bytes_of(*record_with(200))));
  ASSERT_EQ(timeline.at_s.size(), 200u);
  EXPECT_TRUE(std::is_sorted(timeline.at_s.begin(), timeline.at_s.end()));
  ASSERT_EQ(timeline.processes.size(), 1u);
  EXPECT_EQ(timeline.processes[0].anonymous_bytes.back(), std::uint64_t{299} << 10);
  EXPECT_DOUBLE_EQ(timeline.every_s, 0.2);
}

TEST(Timeline, OnlyWhatRisesSteadilyIsAStep) {
  auto r = record_with(20);
  r->step_count = 2;
  for (std::uint32_t i = 0; i < 10; ++i) {
    r->steps[0].values[r->steps[0].count++] = {i * 0.5, i * 40};
    r->steps[1].values[r->steps[1].count++] = {i * 0.5, i % 4};
  }
  std::strcpy(r->steps[0].name, "step");
  std::strcpy(r->steps[1].name, "batch");
  const auto timeline = timeline_of(*record_in(bytes_of(*r)));
  ASSERT_EQ(timeline.steps.size(), 1u);
  EXPECT_EQ(timeline.steps[0].name, "step");
}

TEST(Timeline, NoiseDoesNoHarm) {
  std::mt19937_64 noise(5);
  for (int tries = 0; tries < 50; ++tries) {
    auto r = std::make_unique<RunRecord>();
    for (std::size_t at = 0; at + 8 <= sizeof *r; at += 8) {
      const auto word = noise();
      std::memcpy(reinterpret_cast<char*>(r.get()) + at, &word, sizeof word);
    }
    r->version = run_record_version;
    r->bytes = sizeof *r;
    const auto read = record_in(bytes_of(*r));
    ASSERT_TRUE(read);
    (void)timeline_of(*read);
    (void)bounds_of(*read);
  }
}

}  // namespace
}  // namespace sigwhy::capture
