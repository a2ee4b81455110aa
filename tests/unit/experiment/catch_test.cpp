// When catches of several layouts are one and the same mistake, and what settle makes of it.
#include "experiment/catch.h"

#include <gtest/gtest.h>

#include "diagnose/guard_findings.h"

namespace sigwhy::experiment {

namespace {

Finding speaks_of_block(std::size_t index, Strength strength) {
  Finding f{.cause = Cause::out_of_bounds, .strength = strength};
  f.evidence_for = {{std::string(diagnose::guard_fact), "x", {{"/guarded_heap/blocks/" + std::to_string(index)}}}};
  return f;
}

// `pages` is where this run put the heap; the module lies elsewhere too.
Snapshot caught_at(std::uint64_t pages, std::int64_t offset, std::uint64_t block_bytes = 4096) {
  Snapshot s;
  const Address module{0x7f0000000000 + pages * 4096}, start{0x100000000 + pages * 4096};
  s.modules = {{.path = "/home/ada/nets/libcrop.so", .start = module, .end = {module.value + 0x5000}}};
  s.fault = Fault{.pc = {module.value + 0x1130}, .address = Address{start.value + static_cast<std::uint64_t>(offset)}};
  GuardedHeap heap{.fill_byte = static_cast<int>(0x81 + pages % 8)};
  HeapRecord block{.start = start, .bytes = block_bytes, .state = BlockState::in_use};
  block.allocated.call = "malloc";
  block.allocated.frames = {{.pc = {module.value + 0x1200}}};
  heap.blocks = {block};
  s.guarded_heap = heap;
  return s;
}

std::vector<Catch> catches(std::initializer_list<Snapshot> runs, Strength strength) {
  std::vector<Catch> list;
  for (const auto& run : runs) list.push_back(catch_of(run, speaks_of_block(0, strength)));
  return list;
}

}  // namespace

TEST(Catch, TheSameByteOfTheSameBlockWhereverItLay) {
  EXPECT_TRUE(are_one(catches({caught_at(10, 4096), caught_at(77, 4096), caught_at(3, 4096)}, Strength::strong)));
}

TEST(Catch, AnotherByteEachTimeCameFromElsewhere) {
  EXPECT_FALSE(are_one(catches({caught_at(10, 4096), caught_at(77, 4160)}, Strength::strong)));
}

TEST(Catch, AnotherBlockIsNotTheSame) {
  EXPECT_FALSE(are_one(catches({caught_at(10, 4096), caught_at(77, 4096, 64)}, Strength::proven)));
}

TEST(Catch, OneRunIsEnoughOnlyWhereItLeavesNoDoubt) {
  EXPECT_FALSE(are_one(catches({caught_at(10, 4096)}, Strength::strong)));
  EXPECT_TRUE(are_one(catches({caught_at(10, 4096)}, Strength::proven)));
}

TEST(Catch, AFreedBlockAtAPlaceOfAnOlderOneIsNotTheProof) {
  auto run = caught_at(10, 56);
  run.guarded_heap->blocks[0].state = BlockState::freed;
  EXPECT_TRUE(are_one(catches({run, run}, Strength::strong)));
  run.guarded_heap->blocks[0].place_reused = true;
  const auto met = catches({run, run}, Strength::strong);
  EXPECT_EQ(met[0].reused_bytes, run.guarded_heap->blocks[0].bytes);
  EXPECT_TRUE(are_alike(met));
  EXPECT_FALSE(are_one(met));
}

TEST(Catch, WhatWasNeverSetFollowsTheFill) {
  auto runs = catches({caught_at(1, 99), caught_at(2, 1234)}, Strength::strong);
  for (auto& c : runs) c.cause = Cause::uninitialised_read;
  EXPECT_TRUE(are_one(runs));
  runs[1].fill_byte = runs[0].fill_byte;
  EXPECT_FALSE(are_one(runs));
}

}  // namespace sigwhy::experiment
