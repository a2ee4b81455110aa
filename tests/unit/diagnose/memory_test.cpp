// Stack, heap and pointers that point nowhere.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

// ---- stack-overflow

TEST(StackOverflow, PushBelowTheMainStack) {
  Build b;
  b.frames({{"walk", app}, {"walk", app}}).rsp(at::stack).writes(8, at::stack - 8).base("rsp", at::stack, -8);
  b.s.threads[0].repetition = Repetition{.first = 0, .period = 1, .times = 400, .estimated_times = 174'000};
  EXPECT_EQ(verdict(b), "stack-overflow proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim,
            "walk() called itself about 174,000 times, until the thread's stack of 132 KiB was used up");
}

TEST(StackOverflow, GuardOfAThread) {
  Build b;
  b.frames({{"walk", app}})
      .on_thread(at::thread_stack - 0x10)
      .writes(8, at::thread_stack - 0x18, SEGV_ACCERR)
      .base("rsp", at::thread_stack - 0x10, -8);
  EXPECT_EQ(verdict(b), "stack-overflow proven");
}

TEST(StackOverflow, LargeLocalArray) {
  Build b;
  const std::uint64_t rsp = at::stack - (24u << 20);
  b.limit("stack-size", 8u << 20);
  b.frames({{"softmax", mine}}).rsp(rsp).writes(8, rsp + 0x20).base("rdx", rsp + 0x20);
  EXPECT_EQ(verdict(b), "stack-overflow proven");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("needed 24 MiB of stack; the thread has 8.0 MiB"), std::string::npos);
}

TEST(StackOverflow, GrowthThatWasRefusedIsNotProven) {
  Build b;
  b.limit("stack-size", 8u << 20);
  b.frames({{"walk", app}}).rsp(at::stack).writes(8, at::stack - 8).base("rsp", at::stack, -8);
  EXPECT_EQ(verdict(b), "stack-overflow strong");
}

TEST(StackOverflow, InsideMallocItIsStillTheStack) {
  Build b;
  b.frames({{"_int_malloc", libc}, {"malloc", libc}, {"nest", app}})
      .rsp(at::stack)
      .writes(8, at::stack - 8)
      .base("rsp", at::stack, -8);
  EXPECT_EQ(verdict(b), "stack-overflow proven");
}

TEST(StackOverflow, NotAWildIndexBelowTheStack) {
  Build b;  // the stack pointer is where it should be
  b.frames({{"f", app}})
      .writes(8, at::stack - 0x100000)
      .base("rbp", at::stack_end - 0x100)
      .index("rax", 0xffffffffffe00000, 1);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(StackOverflow, NotTheGuardOfAnotherThread) {
  Build b;
  b.frames({{"f", app}}).writes(8, at::guard + 0x100, SEGV_ACCERR).base("rax", at::guard + 0x100);
  EXPECT_EQ(found(b.diagnosis(), Cause::stack_overflow), nullptr);
}

// ---- use-after-free, uninitialised-read

TEST(UseAfterFree, StartOfAnUnmappedLargeBlock) {
  Build b;
  b.frames({{"__memcpy_evex_unaligned_erms", libc}, {"string_at", ctypes}})
      .reads(32, 0x7ffff5400010)
      .base("rsi", 0x7ffff5400010);
  EXPECT_EQ(verdict(b), "use-after-free strong");
}

// Below the first page of a program at a fixed address nothing ever was.
TEST(UseAfterFree, NotAMemberOfNull) {
  Build b;
  b.frames({{"__strlen_evex", libc}, {"name_length", mine}}).reads(1, 0x10).base("rdi", 0x10);
  EXPECT_EQ(found(b.diagnosis(), Cause::use_after_free), nullptr);
}

TEST(UseAfterFree, RightBehindLiveMemoryItMayBeAnOverrun) {
  Build b;
  b.frames({{"column_sum", mine}}).reads(8, at::map_end + 0x10).base("rax", at::map_end + 0x10);
  EXPECT_EQ(verdict(b), "use-after-free plausible");
}

TEST(UseAfterFree, LinkOfAKnownFreedBlock) {
  const std::uint64_t block = at::heap + 0x2a0, value = (block >> 12) ^ (at::heap + 0x300);
  Build b;
  b.frames({{"notify", app}}).reads(8, value + 0x10).base("rax", value, 0x10);
  b.pointer("read from", block,
            HeapBlock{.start = {block}, .bytes = 24, .state = BlockState::freed, .detail = "linked in a tcache bin"});
  EXPECT_EQ(verdict(b), "use-after-free strong");
  EXPECT_NE(found(b.diagnosis(), Cause::wild_pointer), nullptr);
}

TEST(UseAfterFree, FillOfADebugHeap) {
  Build b;
  b.s.process.switches["MALLOC_PERTURB_"] = "171";
  b.frames({{"label_of", app}}).reads(1, 0xabababababababab).base("rax", 0xabababababababab).computed();
  EXPECT_EQ(verdict(b), "use-after-free strong");
}

TEST(UseAfterFree, DeadCallbackIsNoNullPointer) {
  Build b;
  b.frames({{"func_dealloc", python},
            {"_CallPythonObject", ctypes},
            {"closure_fcn", ctypes},
            {"ffi_closure_unix64", ffi},
            {"train", mine}});
  b.reads(8, 8).base("rax", 0, 8);
  EXPECT_EQ(verdict(b), "use-after-free plausible");
  Build after;  // the callback had run, and its function object dies with it
  after.frames({{"func_dealloc", python},
                {"_PyFrame_Clear", python},
                {"_PyEval_Vector", python},
                {"_CallPythonObject", ctypes},
                {"closure_fcn", ctypes},
                {"train", mine}});
  after.reads(8, 8).base("rax", 0, 8);
  EXPECT_EQ(verdict(after), "use-after-free plausible");
}

TEST(UseAfterFree, DeadCallbackInAStrippedBridge) {
  Build b;
  b.frames({{"", python}, {"", ctypes}, {"", ffi}, {"train", mine}, {"", ffi}, {"", ctypes}, {"", python}});
  b.writes(8, 0).base("rdx", 0);
  EXPECT_EQ(verdict(b), "use-after-free plausible");
  Build called;  // only out, not back
  called.frames({{"train", mine}, {"", ffi}, {"", ctypes}, {"", python}});
  called.writes(8, 0).base("rdx", 0);
  EXPECT_EQ(verdict(called), "null-pointer proven");
}

TEST(UseAfterFree, NotForTheSameByteWithoutADebugHeap) {
  Build b;
  b.frames({{"open_slot", app}}).reads(1, 0xdddddddddddddddd).base("rax", 0xdddddddddddddddd).computed();
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
}

TEST(UseAfterFree, NotWhenTheBlockWithTheLinkIsAlive) {
  const std::uint64_t block = at::heap + 0x2a0, value = (block >> 12) ^ (at::heap + 0x300);
  Build b;
  b.frames({{"tree_depth", mine}}).reads(8, value).base("rdi", value);
  b.pointer("read from", block, HeapBlock{.start = {block}, .bytes = 24, .state = BlockState::in_use});
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
  EXPECT_EQ(found(b.diagnosis(), Cause::use_after_free), nullptr);
  ASSERT_NE(found(b.diagnosis(), Cause::uninitialised_read), nullptr);
  EXPECT_EQ(found(b.diagnosis(), Cause::uninitialised_read)->strength, Strength::plausible);
}

TEST(UninitialisedRead, FillOfNewMemory) {
  Build b;
  b.s.process.switches["MALLOC_PERTURB_"] = "165";
  b.frames({{"send", app}}).reads(1, 0x5a5a5a5a5a5a5a5a).base("rax", 0x5a5a5a5a5a5a5a5a).computed();
  EXPECT_EQ(verdict(b), "uninitialised-read strong");
  Build p;
  p.s.process.switches["PYTHONMALLOC"] = "debug";
  p.frames({{"PyObject_Str", python}}).reads(8, 0xcdcdcdcdcdcdcdd5).base("rax", 0xcdcdcdcdcdcdcdcd, 8).computed();
  EXPECT_EQ(verdict(p), "uninitialised-read strong");
}

TEST(UninitialisedRead, NotForFreedOrForeignFill) {
  Build b;
  b.s.process.switches["PYTHONMALLOC"] = "malloc";
  b.frames({{"f", app}}).reads(1, 0xcdcdcdcdcdcdcdcd).base("rax", 0xcdcdcdcdcdcdcdcd).computed();
  EXPECT_EQ(found(b.diagnosis(), Cause::uninitialised_read), nullptr);
  Build freed;
  freed.s.process.switches["PYTHONMALLOC"] = "debug";
  freed.frames({{"f", app}}).reads(1, 0xdddddddddddddddd).base("rax", 0xdddddddddddddddd).computed();
  EXPECT_EQ(found(freed.diagnosis(), Cause::uninitialised_read), nullptr);
}

// ---- wild-pointer, bit-flip

TEST(WildPointer, FarFromEverything) {
  Build b;
  b.frames({{"solve", app}}).writes(8, 0xdeadbeef).base("rax", 0xdeadbeef);
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
}

TEST(WildPointer, SaysWhatTheBytesLookLike) {
  Build b;
  b.frames({{"f", app}}).reads(8, 0xbfc00000bfc00000).base("rax", 0xbfc00000bfc00000).computed();
  b.pointer("rax", 0xbfc00000bfc00000);
  b.s.pointers[0].looks_like = {"two floats: -1.5, -1.5"};
  ASSERT_EQ(verdict(b), "wild-pointer plausible");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("two floats"), std::string::npos);
}

TEST(WildPointer, HalfAPointer) {
  Build b;
  b.frames({{"f", app}})
      .reads(8, 0xffffffff80000000 | (at::map & 0xffffffff))
      .base("rax", 0xffffffff80000000 | (at::map & 0xffffffff));
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
  EXPECT_NE(b.diagnosis().findings[0].fix[0].find("restype"), std::string::npos);
}

TEST(WildPointer, NearbyItMayBeAnything) {
  Build b;  // 38 MiB behind the heap: an index, a freed block, garbage
  b.frames({{"solve", app}}).writes(8, at::heap_end + 0x2685c00).base("rax", at::heap_end + 0x2685c00);
  EXPECT_EQ(verdict(b), "unknown");
  EXPECT_NE(b.diagnosis().certain[0].find("behind the end of the heap"), std::string::npos);
}

TEST(WildPointer, NotForAMisalignedVector) {
  Build b;  // movaps on an odd address of the heap: SI_KERNEL, and the address is fine
  b.frames({{"f", app}}).reads(16, at::heap + 8).base("rax", at::heap + 8).computed();
  EXPECT_EQ(verdict(b), "unknown");
  EXPECT_NE(b.diagnosis().certain[0].find("multiple of 16"), std::string::npos);
}

TEST(BitFlip, IsNeverTheVerdictForAPointer) {
  Build b;
  b.frames({{"f", app}})
      .reads(8, (at::heap + 0x40) | (1ull << 60))
      .base("rax", (at::heap + 0x40) | (1ull << 60))
      .computed();
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
  ASSERT_NE(found(b.diagnosis(), Cause::bit_flip), nullptr);
  EXPECT_EQ(found(b.diagnosis(), Cause::bit_flip)->strength, Strength::weak);
}

TEST(BitFlip, TheMachineSaysSo) {
  Build b;
  b.frames({{"f", app}}).signal(SIGBUS, BUS_MCEERR_AR).reads(8, at::heap);
  EXPECT_EQ(verdict(b), "bit-flip strong");
}

TEST(BitFlip, NotForTwoBitsOrForAMappedAddress) {
  Build b;
  b.frames({{"f", app}}).reads(8, at::heap | (5ull << 60)).base("rax", at::heap | (5ull << 60)).computed();
  EXPECT_EQ(found(b.diagnosis(), Cause::bit_flip), nullptr);
  Build canonical;
  canonical.frames({{"f", app}}).reads(8, at::heap ^ (1ull << 40)).base("rax", at::heap ^ (1ull << 40));
  EXPECT_EQ(found(canonical.diagnosis(), Cause::bit_flip), nullptr);
}

}  // namespace sigwhy::diagnose
