// Two allocators in one process: a cause only where a block of one is given to the other.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

// `torch` stands for an allocator that serves the program, `mine` for a library that calls the C library's.
Build past_the_allocator() {
  Build b;
  b.s.inventory = Inventory{.libraries = {{.family = "allocators", .name = "jemalloc", .part = "jemalloc", .module = torch, .came_in = CameIn::preloaded}},
                            .crossings = {{"free", mine, libc, torch}}};
  b.frames({{"raise", libc}, {"abort", libc}, {"__libc_message", libc}, {"malloc_printerr", libc}, {"_int_free", libc}, {"free", libc}, {"take", mine}, {"main", app}});
  b.aborts().text(TextKind::abort_message, "free(): invalid pointer");
  return b;
}

Build in_the_allocator() {
  Build b;
  b.s.inventory = Inventory{.libraries = {{.family = "allocators", .name = "jemalloc", .part = "jemalloc", .module = torch, .came_in = CameIn::preloaded}}};
  b.frames({{"", torch}, {"free", torch}, {"take", mine}, {"main", app}}).reads(8, 0).base("rbx", 0);
  return b;
}

HeapBlock block(std::uint64_t start, BlockState state) { return {.start = {start}, .bytes = 40, .state = state}; }

}  // namespace

TEST(Allocators, MemoryThatTheCLibraryDoesNotKnow) {
  auto b = past_the_allocator();
  b.pointer("freed", at::map + 0x500);
  EXPECT_EQ(verdict(b), "mixed-libraries strong");
  EXPECT_EQ(b.diagnosis().findings[0].explains, Cause::invalid_free);
}

TEST(Allocators, WithoutThePointerItMayBe) {
  auto b = past_the_allocator();
  EXPECT_EQ(verdict(b), "invalid-free strong");
  const auto diagnosis = b.diagnosis();
  const auto* mixed = found(diagnosis, Cause::mixed_libraries);
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->strength, Strength::plausible);
}

TEST(Allocators, ABlockOfTheCLibrarysOwn) {
  auto b = past_the_allocator();
  b.pointer("freed", at::heap + 0x520, block(at::heap + 0x500, BlockState::in_use));
  EXPECT_EQ(verdict(b).substr(0, 12), "invalid-free");
  EXPECT_FALSE(found(b.diagnosis(), Cause::mixed_libraries));
}

TEST(Allocators, ALocalVariable) {
  auto b = past_the_allocator();
  b.pointer("freed", at::stack_end - 0x800);
  EXPECT_EQ(verdict(b), "invalid-free proven");
  EXPECT_FALSE(found(b.diagnosis(), Cause::mixed_libraries));
}

TEST(Allocators, ACallThatPassesNobodyBy) {
  auto b = past_the_allocator();
  b.s.inventory->crossings.clear();
  b.pointer("freed", at::map + 0x500);
  EXPECT_EQ(verdict(b), "invalid-free strong");
  EXPECT_FALSE(found(b.diagnosis(), Cause::mixed_libraries));
}

TEST(Allocators, ABlockOfTheCLibraryInOtherHands) {
  auto b = in_the_allocator();
  b.pointer("freed", at::heap + 0x500, block(at::heap + 0x500, BlockState::in_use));
  EXPECT_EQ(verdict(b), "mixed-libraries strong");
  EXPECT_EQ(b.diagnosis().findings[0].explains, Cause::invalid_free);
}

TEST(Allocators, AFaultInAnAllocatorOfUnknownCause) {
  auto b = in_the_allocator();
  EXPECT_FALSE(found(b.diagnosis(), Cause::mixed_libraries));
  b.pointer("freed", at::heap + 0x520, block(at::heap + 0x500, BlockState::in_use));
  EXPECT_FALSE(found(b.diagnosis(), Cause::mixed_libraries));
}

TEST(Allocators, AFaultOfWhomTheAllocatorCalls) {
  auto b = in_the_allocator();
  b.s.threads[0].frames.insert(b.s.threads[0].frames.begin(), Frame{.pc = {at::app_text}, .trust = Trust::cfi, .module = app, .symbol = "hook"});
  b.pointer("freed", at::heap + 0x500, block(at::heap + 0x500, BlockState::in_use));
  EXPECT_FALSE(found(b.diagnosis(), Cause::mixed_libraries));
}

}  // namespace sigwhy::diagnose
