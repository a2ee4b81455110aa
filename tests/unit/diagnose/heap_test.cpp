// What glibc's heap says, and what it proves.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

static Build freeing(const char* words) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"", libc}, {"", libc}, {"free", libc}, {"release", mine}, {"main", app}})
      .aborts();
  b.text(TextKind::abort_message, words);
  return b;
}

static HeapBlock block(std::uint64_t start, BlockState state, const char* detail = "") {
  return {.start = {start}, .bytes = 64, .state = state, .detail = detail};
}

// ---- invalid-free

TEST(InvalidFree, InTheThreadCache) {
  const auto b = freeing("free(): double free detected in tcache 2");
  EXPECT_EQ(verdict(b), "invalid-free proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim, "release() in libcrop.so freed a block that was freed before");
}

TEST(InvalidFree, TopAndFastTop) {
  EXPECT_EQ(verdict(freeing("double free or corruption (fasttop)")), "invalid-free strong");
  EXPECT_EQ(verdict(freeing("double free or corruption (top)")), "invalid-free strong");
}

TEST(InvalidFree, TheBlockIsInABin) {
  auto b = freeing("double free or corruption (!prev)");
  b.pointer("freed", at::heap + 0x500, block(at::heap + 0x500, BlockState::freed, "linked in the unsorted bin"));
  EXPECT_EQ(verdict(b), "invalid-free strong");
}

TEST(InvalidFree, StackStaticAndMisaligned) {
  auto stack = freeing("free(): invalid pointer");
  stack.pointer("freed", at::stack_end - 0x800);
  EXPECT_EQ(verdict(stack), "invalid-free proven");
  auto stat = freeing("munmap_chunk(): invalid pointer");
  stat.pointer("freed", at::app_data + 0x40);
  EXPECT_EQ(verdict(stat), "invalid-free proven");
  auto odd = freeing("free(): invalid pointer");
  odd.pointer("freed", at::heap + 0x508);
  EXPECT_EQ(verdict(odd), "invalid-free proven");
}

TEST(InvalidFree, ThePointerMayBeUnknown) {
  EXPECT_EQ(verdict(freeing("free(): invalid pointer")), "invalid-free strong");
  EXPECT_EQ(verdict(freeing("munmap_chunk(): invalid pointer")), "heap-corruption strong");
}

TEST(InvalidFree, NotWhereTheHeaderWasOverwritten) {
  auto b = freeing("free(): invalid pointer");
  b.pointer("freed", at::heap + 0x500, block(at::heap + 0x500, BlockState::corrupted, "its size field holds 0"));
  EXPECT_EQ(verdict(b), "heap-corruption strong");
}

TEST(InvalidFree, MiddleOfABlock) {
  auto b = freeing("free(): invalid size");
  b.pointer("freed", at::heap + 0x520, block(at::heap + 0x500, BlockState::in_use));
  EXPECT_EQ(verdict(b), "invalid-free strong");
}

TEST(InvalidFree, MiddleOfABlockWhateverGlibcSays) {
  for (const char* words : {"double free or corruption (out)", "free(): invalid next size (normal)"}) {
    auto b = freeing(words);
    b.pointer("freed", at::heap + 0x520, block(at::heap + 0x500, BlockState::in_use));
    EXPECT_EQ(verdict(b), "invalid-free strong") << words;
  }
}

TEST(InvalidFree, StaticVariableThatFreeFollowed) {
  Build b;
  b.frames({{"free", libc}, {"release", mine}}).reads(8, 0x555554000000).base("rax", 0x555554000000, 0);
  EXPECT_EQ(verdict(b), "heap-corruption strong");
  b.pointer("freed", at::app_data + 0x40);
  EXPECT_EQ(verdict(b), "invalid-free proven");
}

TEST(InvalidFree, GarbageGivenToFree) {
  Build b;
  b.frames({{"free", libc}, {"release", mine}})
      .reads(8, 0x4141414138)
      .base("rdi", 0x4141414140, -8)
      .reg("rdi", 0x4141414140);
  EXPECT_EQ(verdict(b), "invalid-free strong");
}

TEST(InvalidFree, NotWhereALibrarysPointerLostItsUpperHalf) {
  const auto frees = [](In module) {
    constexpr std::uint64_t half = (at::heap + 0x500) & 0xffffffff;
    Build b;
    b.frames({{"free", libc}, {"release", module}}).reads(8, half - 8).base("rdi", half, -8).reg("rdi", half);
    return verdict(b);
  };
  EXPECT_EQ(frees(torch), "heap-corruption strong");
  EXPECT_EQ(frees(mine), "invalid-free strong") << "a pointer that went through an int";
}

TEST(InvalidFree, NotForCorruptionOut) {
  EXPECT_EQ(verdict(freeing("double free or corruption (out)")), "heap-corruption strong");
}

TEST(InvalidFree, NotWhereTheNextSizeWasOverwritten) {
  auto b = freeing("double free or corruption (!prev)");
  b.pointer("freed", at::heap + 0x500, block(at::heap + 0x500, BlockState::in_use));
  EXPECT_EQ(verdict(b), "heap-corruption strong");
}

// ---- heap-corruption

TEST(HeapCorruption, GlibcsChecks) {
  for (const char* words :
       {"malloc(): corrupted top size", "malloc(): invalid size (unsorted)", "corrupted size vs. prev_size",
        "free(): invalid next size (fast)", "malloc(): unaligned tcache chunk detected",
        "Fatal glibc error: malloc.c:2599 (sysmalloc): assertion failed: (old_top == initial_top (av)"})
    EXPECT_EQ(verdict(freeing(words)), "heap-corruption strong") << words;
}

TEST(HeapCorruption, FaultInsideTheAllocator) {
  Build b;
  b.frames({{"unlink_chunk.constprop.0", libc}, {"_int_malloc", libc}, {"malloc", libc}, {"tensorflow::f()", torch}});
  b.reads(8, 0xbfc00000bfc00000)
      .base("rdi", at::heap + 0x100)
      .index("rax", 0xbfc00000bfc00000 - at::heap, 1)
      .computed();
  EXPECT_EQ(verdict(b), "heap-corruption strong");
}

TEST(HeapCorruption, AllocatorWithoutNames) {
  Build b;
  b.frames({{"", libc}, {"malloc", libc}, {"f", app}})
      .reads(8, 0x3ff8000000000008)
      .base("rax", 0x3ff8000000000000, 8)
      .computed();
  EXPECT_EQ(verdict(b), "heap-corruption strong");
}

TEST(HeapCorruption, InPythonsOwnHeapOnlyPlausible) {
  Build b;
  b.frames({{"_PyObject_Malloc", python}, {"long_add", python}, {"_PyEval_EvalFrameDefault", python}})
      .reads(8, 0x1234567890)
      .base("rax", 0x1234567890);
  EXPECT_EQ(verdict(b), "heap-corruption plausible");
}

// Its lists of free places held the null; no caller gave it one.
TEST(HeapCorruption, ANullInPythonsOwnHeapWasNotHandedIn) {
  Build b;
  b.frames({{"_PyObject_Malloc", python}, {"_PyLong_New", python}, {"_PyEval_EvalFrameDefault", python}})
      .reads(8, 0x18)
      .base("rsi", 0);
  EXPECT_EQ(verdict(b), "heap-corruption plausible");
}

TEST(HeapCorruption, FloatsInAPointerOfAFramework) {
  Build b;
  b.frames({{"at::Tensor::~Tensor()", torch}})
      .access(Access::read_write, 8, 0x4572700045726008)
      .base("r14", 0x4572700045726000, 8)
      .computed();
  b.pointer("r14", 0x4572700045726000);
  b.s.pointers[0].looks_like = {"two floats: 3878, 3879"};
  EXPECT_EQ(verdict(b), "heap-corruption plausible");
  b.s.threads[0].frames[0].module = mine;  // a small program fills its pointers with anything
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
}

TEST(HeapCorruption, NotForWordsTheProgramPrinted) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"fail", app}, {"main", app}})
      .aborts()
      .text(TextKind::abort_message, "corrupted size vs. prev_size");
  EXPECT_EQ(found(b.diagnosis(), Cause::heap_corruption), nullptr);
}

TEST(HeapCorruption, NotForAFaultInTheCallerOfMalloc) {
  Build b;
  b.frames({{"fill", app}, {"main", app}}).writes(4, at::heap_end).base("rax", at::heap_end);
  EXPECT_EQ(found(b.diagnosis(), Cause::heap_corruption), nullptr);
}

TEST(HeapCorruption, NeverProven) {
  for (const char* words : {"corrupted double-linked list", "free(): invalid next size (fast)"}) {
    const auto d = freeing(words).diagnosis();
    ASSERT_NE(found(d, Cause::heap_corruption), nullptr);
    EXPECT_LE(found(d, Cause::heap_corruption)->strength, Strength::strong);
  }
}

}  // namespace sigwhy::diagnose
