// What the guarded heap proves, and its look-alikes: an address beside a block proves nothing by itself.
#include <gtest/gtest.h>

#include <algorithm>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

namespace {

// Two blocks with pages of their own: one page in front, the data at the end of the next, one page behind.
constexpr std::uint64_t first_mapping = 0x7f0000000000, second_mapping = 0x7f0000010000;
constexpr std::uint64_t first_closed = first_mapping + 0x2000, second_closed = second_mapping + 0x2000;

HeapEvent event(const char* call, std::uint64_t pc, const char* symbol, const char* file, int line) {
  HeapEvent e{.tid = 100, .at_seconds = 0.5, .call = call};
  e.frames.push_back({.pc = {pc}, .trust = Trust::cfi, .module = mine, .symbol = symbol, .source = Source{.file = file, .line = line}});
  return e;
}

HeapRecord record(std::uint64_t mapping, std::uint64_t bytes) {
  HeapRecord r{.start = {mapping + 0x2000 - (bytes + 15) / 16 * 16}, .bytes = bytes, .alignment = 16, .state = BlockState::in_use, .guarded = true};
  r.mapping = Address{mapping};
  r.mapping_bytes = 0x3000;
  r.slack_bytes = (bytes + 15) / 16 * 16 - bytes;
  r.allocated = event("malloc", at::mine_text + 0x40, "load(int)", "/home/u/data.cc", 12);
  return r;
}

void free_it(HeapRecord& r) {
  r.state = BlockState::freed;
  r.freed = event("free", at::mine_text + 0x80, "drop(int*)", "/home/u/data.cc", 40);
}

Build guarded(std::initializer_list<HeapRecord> blocks) {
  Build b;
  b.frames({{"crop", mine}, {"main", app}});
  b.s.guarded_heap = GuardedHeap{.mode = GuardMode::all, .at_seconds = 0.7, .fill_byte = 0xbe, .freed_fill_byte = 0xef};
  b.s.guarded_heap->blocks = blocks;
  b.s.regions.insert(b.s.regions.begin(), {.start = {first_mapping}, .end = {first_mapping + 0x100000}, .permissions = "rw-p", .kind = RegionKind::anonymous});
  std::ranges::sort(b.s.regions, {}, &Region::start);
  return b;
}

Build stopped(GuardStop stop, HeapRecord block) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"", libc}, {"free", libc}, {"release", mine}, {"main", app}}).aborts();
  b.s.guarded_heap = GuardedHeap{.mode = GuardMode::all, .at_seconds = 0.7, .stop = stop, .stopped = true, .stop_address = block.start, .stop_block = 0};
  b.s.guarded_heap->blocks = {std::move(block)};
  return b;
}

std::string claim(const Build& b) { return b.diagnosis().findings.at(0).claim; }

}  // namespace

// ---- out of bounds

TEST(GuardedBounds, AWalkEndsAtTheFirstByteBehindTheBlock) {
  auto b = guarded({record(first_mapping, 4000)});
  b.reads(4, first_closed).base("rax", first_closed);
  b.s.threads[0].registers["rdi"] = b.s.guarded_heap->blocks[0].start;
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
  EXPECT_EQ(claim(b), "crop() in libcrop.so read 4 bytes right behind the end of a block of 4,000 bytes");
}

// A walk in large steps from another block can end there as well.
TEST(GuardedBounds, TheFirstByteAloneIsNoProof) {
  auto b = guarded({record(first_mapping, 4000)});
  b.reads(4, first_closed).base("rax", first_closed);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(GuardedBounds, AWalkThatMayHaveBegunInAnotherBlockIsNoProof) {
  auto other = record(second_mapping, 4000);
  other.roles = {"rbx"};
  auto b = guarded({record(first_mapping, 4000), other});
  b.reads(4, first_closed).base("rax", first_closed);
  b.s.threads[0].registers["rdi"] = b.s.guarded_heap->blocks[0].start;
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

// out[i] = in[i * stride]: `in` is left, and `out` is what a register holds.
TEST(GuardedBounds, ARegisterThatPointsIntoANeighbourIsNoProof) {
  auto b = guarded({record(first_mapping, 4000)});
  b.reads(4, first_closed + 0x40).base("rax", first_closed + 0x40);
  b.s.threads[0].registers["rdx"] = b.s.guarded_heap->blocks[0].start;
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(GuardedBounds, ThePointerIsInTheBlockAndTheIndexLeadsOut) {
  auto b = guarded({record(first_mapping, 4000)});
  const auto start = b.s.guarded_heap->blocks[0].start.value;
  b.writes(4, first_closed + 0x100).base("rdi", start).index("rcx", (first_closed + 0x100 - start) / 4, 4);
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
  EXPECT_EQ(claim(b), "crop() in libcrop.so wrote 4 bytes 256 bytes behind the end of a block of 4,000 bytes");
}

TEST(GuardedBounds, BeforeTheStart) {
  auto b = guarded({record(first_mapping, 4096)});
  const auto start = b.s.guarded_heap->blocks[0].start.value;
  b.reads(4, start - 4).base("rdi", start, -4);
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
}

TEST(GuardedBounds, ProximityAloneProvesNothing) {
  auto b = guarded({record(first_mapping, 4000)});
  b.reads(4, first_closed + 0x100).base("rax", first_closed + 0x100);
  EXPECT_NE(verdict(b), "out-of-bounds proven");
  EXPECT_NE(verdict(b), "out-of-bounds strong");
}

TEST(GuardedBounds, AnotherBlocksPointerLedThere) {
  auto b = guarded({record(first_mapping, 4000), record(second_mapping, 64)});
  const auto start = b.s.guarded_heap->blocks[1].start.value;
  b.reads(4, first_closed + 0x800).base("rdi", start).index("rcx", (first_closed + 0x800 - start) / 4, 4);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  EXPECT_NE(claim(b).find("a block of 64 bytes"), std::string::npos);
}

TEST(GuardedBounds, ACopyTouchesEverythingFromItsStartOn) {
  auto b = guarded({record(first_mapping, 4000)});
  b.s.threads[0].frames.clear();
  b.frames({{"__memcpy_avx_unaligned_erms", libc}, {"crop", mine}, {"main", app}});
  const auto start = b.s.guarded_heap->blocks[0].start.value;
  b.reads(32, start + 0x80000).base("rsi", start).index("rdx", 0x80020, 1);
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
}

TEST(GuardedBounds, AWildPointerStaysOne) {
  auto b = guarded({record(first_mapping, 4000)});
  b.reads(8, 0x1234567890).base("rax", 0x1234567890);
  EXPECT_EQ(verdict(b).find("out-of-bounds"), std::string::npos);
}

TEST(GuardedBounds, ANullPointerStaysOne) {
  auto b = guarded({record(first_mapping, 4000)});
  b.reads(8, 0x10).base("rax", 0, 0x10);
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

TEST(GuardedBounds, TheElementOfAnArray) {
  auto r = record(first_mapping, 4000);
  r.array = 0;
  auto b = guarded({r});
  b.s.arrays.push_back({.name = "labels", .type = "ndarray", .dtype = "int64", .item_bytes = 8, .shape = {500}, .strides = std::vector<std::int64_t>{8}, .data = r.start, .bytes = 4000});
  b.reads(8, first_closed).base("rax", first_closed);
  b.s.threads[0].registers["rdi"] = r.start;
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
  EXPECT_EQ(claim(b), "crop() in libcrop.so read element 500 of `labels`; it has 500 elements, the last is 499");
}

// ---- use after free

TEST(GuardedFree, ThePointerIsTheBlocksOwn) {
  auto r = record(first_mapping, 48);
  free_it(r);
  auto b = guarded({r});
  b.reads(4, r.start.value + 20).base("rdi", r.start.value, 20);
  EXPECT_EQ(verdict(b), "use-after-free proven");
  EXPECT_EQ(claim(b), "crop() in libcrop.so read 4 bytes of a block of 48 bytes that was freed by drop() data.cc:40");
}

TEST(GuardedFree, WhereAnOlderBlockLayItMayBeThatOnes) {
  auto r = record(first_mapping, 48);
  free_it(r);
  r.place_reused = true;
  auto b = guarded({r});
  b.reads(4, r.start.value + 20).base("rdi", r.start.value, 20);
  EXPECT_EQ(verdict(b), "use-after-free strong");
}

TEST(GuardedFree, AWalkBeginsAtTheBlocksStart) {
  auto r = record(first_mapping, 480);
  free_it(r);
  auto b = guarded({r});
  b.reads(16, r.start.value).base("rax", r.start.value + 16, -16);
  EXPECT_EQ(verdict(b), "use-after-free proven");
}

TEST(GuardedFree, APointerIntoItsMiddleMayComeFromElsewhere) {
  auto r = record(first_mapping, 480);
  free_it(r);
  auto b = guarded({r});
  b.reads(8, r.start.value + 108).base("rax", r.start.value + 100, 8);
  EXPECT_NE(verdict(b), "use-after-free proven");
}

TEST(GuardedFree, AnAddressInAFreedBlockProvesNothing) {
  auto r = record(first_mapping, 48);
  free_it(r);
  auto b = guarded({r});
  b.reads(4, r.start.value + 20).base("rax", r.start.value + 20);
  EXPECT_NE(verdict(b), "use-after-free proven");
}

TEST(GuardedFree, BehindAFreedBlockIsNoUseOfIt) {
  auto r = record(first_mapping, 48);
  free_it(r);
  auto b = guarded({r});
  b.reads(4, first_closed + 0x100).base("rdi", r.start.value, 0);
  EXPECT_NE(verdict(b), "use-after-free proven");
  EXPECT_NE(verdict(b), "out-of-bounds proven");
}

// ---- fill

TEST(GuardedFill, APointerThatNobodySet) {
  auto b = guarded({record(first_mapping, 48)});
  b.reads(8, 0xbebebebebebebebe).base("rax", 0xbebebebebebebebe).computed();
  EXPECT_EQ(verdict(b), "uninitialised-read strong");
}

TEST(GuardedFill, AnIndexThatNobodySet) {
  auto b = guarded({record(first_mapping, 4000)});
  const auto start = b.s.guarded_heap->blocks[0].start.value;
  b.reads(4, start + 4 * 0xffffffffbebebebeull).base("rdi", start).index("rax", 0xffffffffbebebebe, 4);
  EXPECT_EQ(verdict(b), "uninitialised-read strong");
}

TEST(GuardedFill, AnotherIndexIsNone) {
  auto b = guarded({record(first_mapping, 4000)});
  const auto start = b.s.guarded_heap->blocks[0].start.value;
  b.reads(4, start + 4 * 0xffffffffbebebebfull).base("rdi", start).index("rax", 0xffffffffbebebebf, 4);
  EXPECT_EQ(verdict(b).find("uninitialised-read"), std::string::npos);
}

TEST(GuardedFill, WithoutTheGuardTheByteMeansNothing) {
  Build b;
  b.frames({{"crop", mine}, {"main", app}}).reads(8, 0xbebebebebebebebe).base("rax", 0xbebebebebebebebe).computed();
  EXPECT_EQ(verdict(b).find("uninitialised-read"), std::string::npos);
}

TEST(GuardedFill, OfFreedMemory) {
  auto b = guarded({});
  b.reads(8, 0xefefefefefefefef).base("rax", 0xefefefefefefefef).computed();
  EXPECT_EQ(verdict(b), "use-after-free strong");
}

// ---- what the guard found itself

TEST(GuardedStop, FreedTwice) {
  auto r = record(first_mapping, 100);
  free_it(r);
  const auto b = stopped(GuardStop::double_free, r);
  EXPECT_EQ(verdict(b), "invalid-free proven");
  EXPECT_EQ(claim(b), "release() in libcrop.so freed a block of 100 bytes that was freed before by drop() data.cc:40");
}

TEST(GuardedStop, TheMiddleOfABlock) {
  auto b = stopped(GuardStop::invalid_free, record(first_mapping, 100));
  b.s.guarded_heap->stop_address = *b.s.guarded_heap->stop_address + 16;
  EXPECT_EQ(verdict(b), "invalid-free proven");
  EXPECT_EQ(claim(b), "release() in libcrop.so freed a pointer 16 bytes behind the start of a block of 100 bytes");
}

TEST(GuardedStop, Damaged) {
  auto r = record(first_mapping, 100);
  r.damage = HeapDamage{.offset = 100, .bytes = 4, .found_at = "78787878"};
  const auto b = stopped(GuardStop::damaged_block, r);
  EXPECT_EQ(verdict(b), "heap-corruption proven");
  EXPECT_EQ(claim(b), "4 bytes right behind the end of a block of 100 bytes were overwritten; found when it was freed");
}

TEST(GuardedStop, DamagedAndEndedWell) {
  auto r = record(first_mapping, 100);
  r.damage = HeapDamage{.offset = -2, .bytes = 1, .found_at = "78"};
  auto b = stopped(GuardStop::damaged_block, r);
  b.s.termination = {.kind = TerminationKind::exited, .exit_code = 0};
  b.s.guarded_heap->stopped = false;
  b.s.guarded_heap->stop_address.reset();
  EXPECT_EQ(verdict(b), "heap-corruption proven");
  EXPECT_EQ(claim(b), "1 byte before the start of a block of 100 bytes was overwritten; found when the program ended");
}

TEST(GuardedStop, NotedButKilledBySomebody) {
  auto r = record(first_mapping, 100);
  r.damage = HeapDamage{.offset = 100, .bytes = 4, .found_at = "78787878"};
  auto b = stopped(GuardStop::damaged_block, r);
  b.sent(SIGTERM, 4711, SenderRelation::other);
  b.s.guarded_heap->stopped = false;
  EXPECT_EQ(verdict(b).find("heap-corruption"), std::string::npos);
}

TEST(GuardedStop, AnAbortOfTheProgramsOwnStaysOne) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"check", mine}, {"main", app}}).aborts();
  b.s.guarded_heap = GuardedHeap{.mode = GuardMode::all};
  EXPECT_EQ(verdict(b).find("invalid-free"), std::string::npos);
  EXPECT_EQ(verdict(b).find("heap-corruption"), std::string::npos);
}

TEST(GuardedStop, AHealthyEndIsClean) {
  Build b;
  b.s.termination = {.kind = TerminationKind::exited, .exit_code = 0};
  b.s.guarded_heap = GuardedHeap{.mode = GuardMode::all, .allocations = 1000};
  EXPECT_EQ(verdict(b), "clean-exit");
}

}  // namespace sigwhy::diagnose
