#include "capture/glances.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "capture/clock.h"

namespace sigwhy::capture {
namespace {

struct Bytes final : Memory {
  std::size_t read(Address, std::span<std::byte> into) const override { return into.size(); }
};

TEST(Glances, NoneBeginsAfterTheSupervisorAsked) {
  Glances glances{};
  EXPECT_TRUE(Glance(glances));
  EXPECT_TRUE(Glance(glances)) << "the first is over";
  // Only for a while: on a busy machine it may be over before we look.
  const auto refused = [&] { return glances.stop(), !Glance(glances); };
  EXPECT_TRUE(refused() || refused() || refused());
}

TEST(Glances, OneUnderWayReadsNoMore) {
  Glances glances{};
  std::atomic<bool> began{};
  std::thread sampler([&] {
    const Glance glance(glances);
    const Bytes bytes;
    const GlancedMemory memory(bytes, glances);
    EXPECT_TRUE(memory.read_value<int>(Address{}));
    began = true;
    while (memory.read_value<int>(Address{})) usleep(100);
  });
  while (!began) usleep(100);
  glances.stop();
  sampler.join();
}

TEST(Glances, OneThatDoesNotEndIsNotWaitedForLong) {
  Glances glances{};
  const Glance stuck(glances);
  const double before = monotonic_s();
  glances.stop();
  EXPECT_GE(monotonic_s() - before, 0.01);
}

}  // namespace
}  // namespace sigwhy::capture
