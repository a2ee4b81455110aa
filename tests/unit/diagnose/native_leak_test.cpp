// Native memory that grows, by the guard's record of who allocated it: a leak only where a loop calls again and again.
#include <gtest/gtest.h>

#include "diagnose/rule.h"
#include "memory_builder.h"

namespace sigwhy::diagnose {

namespace rules {
extern const Rule memory_leak;
}

namespace {

std::optional<Finding> leak_in(const MemoryRun& run) { return rules::memory_leak.check(facts_of(run.s)); }

Strength strength(const MemoryRun& run) { return leak_in(run)->strength; }

MemoryRun native_growth() {
  MemoryRun run;
  run.limit(8 * gib).climbs(600 * mib, 8 * gib).steps("step", 240);
  run.part(MemoryKind::heap_in_use, 7300 * mib);
  return run;
}

HeapSite decoding() {
  Frame frame{.pc = Address{0x1000}, .symbol = "decode", .source = Source{.file = "/home/ada/codec.c", .line = 5}};
  HeapSite site{.live_blocks = 40, .live_bytes = 360 * mib, .share_recorded = 0.05};
  site.allocated.frames.push_back(std::move(frame));
  site.line = AddingLine{.name = "", .file = "/home/ada/train.py", .line = 12, .text = "codec.decode(image)", .repeats = true};
  return site;
}

MemoryRun guarded_growth(const HeapSite& site, GuardMode mode = GuardMode::sampled) {
  auto run = native_growth();
  run.s.guarded_heap = GuardedHeap{.mode = mode};
  run.s.guarded_heap->sites.push_back(site);
  return run;
}

std::string fix(const MemoryRun& run) { return leak_in(run)->fix.at(0); }

}  // namespace

TEST(NativeLeak, ANativeCallThatALoopMakesAgainAndAgain) {
  const auto found = leak_in(guarded_growth(decoding()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->strength, Strength::strong);
  EXPECT_EQ(found->claim, "about 7.0 GiB are never given back, allocated by decode() codec.c:5");
  EXPECT_EQ(found->fix.at(0), "Free it when it is no longer used: what is allocated by decode() codec.c:5.");
  EXPECT_TRUE(found->rival);
}

TEST(NativeLeak, ANativeCallThatMayBeMeantToKeepIt) {
  auto fills = decoding(), reads = decoding(), once = decoding(), unknown = decoding(), few = decoding(), little = decoding();
  fills.line->only_fills = true;
  reads.line->text = "table.add(np.load(path))";
  once.line->repeats = false;
  unknown.line.reset();
  few.live_blocks = 3;
  little.live_bytes = 20 * mib;
  for (const auto& site : {fills, reads, once, unknown, few, little}) EXPECT_EQ(strength(guarded_growth(site)), Strength::plausible);
  auto uncounted = guarded_growth(decoding());
  uncounted.s.timeline->steps.clear();
  EXPECT_EQ(strength(uncounted), Strength::plausible);
  EXPECT_EQ(fix(uncounted), "See whether it is freed when it is no longer used: what is allocated by decode() codec.c:5.");
  EXPECT_NE(leak_in(uncounted)->claim.find("; most of it is allocated by decode() codec.c:5"), std::string::npos);
}

TEST(NativeLeak, WhoRanItWithTheGuardIsNotToldToDoSo) {
  auto little = decoding();
  little.live_bytes = 20 * mib;
  EXPECT_NE(fix(native_growth()).find("with --guard, or under a heap profiler"), std::string::npos);
  EXPECT_NE(fix(guarded_growth(little)).find("with --guard=all, or under a heap profiler"), std::string::npos);
  EXPECT_EQ(fix(guarded_growth(little, GuardMode::all)).find("--guard"), std::string::npos);
}

}  // namespace sigwhy::diagnose
