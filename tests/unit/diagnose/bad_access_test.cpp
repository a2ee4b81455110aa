// Bad memory accesses: for each rule, crashes that it must name and look-alikes that it must leave alone.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

// ---- null-pointer

TEST(NullPointer, MemberOfNull) {
  Build b;
  b.frames({{"crop", mine}, {"main", app}}).reads(8, 0x18).base("rdi", 0, 0x18);
  EXPECT_EQ(verdict(b), "null-pointer proven");
  const auto d = b.diagnosis();
  EXPECT_EQ(d.findings[0].claim, "crop() in libcrop.so read 8 bytes through a null pointer (offset 0x18)");
  EXPECT_EQ(d.findings[0].whose, Whose::your_code);
}

TEST(NullPointer, NullBaseWithLargeIndex) {
  Build b;
  b.frames({{"at::native::f(at::Tensor const&)", torch}})
      .reads(4, 0x80000000)
      .base("rax", 0)
      .index("rdx", 0x20000000, 4);
  EXPECT_EQ(verdict(b), "null-pointer strong");
}

TEST(NullPointer, SmallNegativeAddress) {
  Build b;
  b.frames({{"f", torch}}).reads(8, 0xffffffffffffffd0).base("rax", 0, -0x30);
  EXPECT_EQ(verdict(b), "null-pointer proven");
  Build far;
  far.frames({{"f", torch}}).reads(8, 0xffffffee80000000).base("rax", 0).index("rcx", 0xfffffffdd0000000, 8);
  EXPECT_EQ(verdict(far), "null-pointer strong");
}

TEST(NullPointer, AddressInTheInstructionItself) {
  Build b;
  b.frames({{"main", app}}).writes(4, 4).base("x", 0);
  b.s.fault->instruction->operands[0].base.reset();
  b.s.fault->instruction->operands[0].base_value.reset();
  EXPECT_EQ(verdict(b), "null-pointer proven");
}

TEST(NullPointer, GivenToTheCLibrary) {
  Build b;
  b.frames({{"__strlen_avx2", libc}, {"load", app}}).reads(32, 0).base("rdi", 0);
  EXPECT_EQ(verdict(b), "null-pointer proven");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("called by load()"), std::string::npos);
}

TEST(NullPointer, GivenToThePythonApiByAnExtension) {
  Build b;
  b.frames({{"PyList_Append", python}, {"make_list", mine}, {"_PyEval_EvalFrameDefault", python}})
      .reads(8, 8)
      .base("rdi", 0, 8);
  EXPECT_EQ(verdict(b), "null-pointer strong");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("given a null pointer by make_list()"), std::string::npos);
}

TEST(NullPointer, DifferenceOfTwoPointersOneOfThemNull) {
  Build b;
  b.frames({{"copy", mine}}).reads(8, 0x20).base("rdi", at::heap + 0x20).index("rax", 0 - at::heap, 1);
  EXPECT_EQ(verdict(b), "null-pointer strong");
}

TEST(NullPointer, NotWhenTheKernelGaveNoAddress) {
  Build b;  // a non-canonical pointer arrives as address 0 with SI_KERNEL
  b.frames({{"gather", mine}}).reads(8, 0xbfc00000bfc00000).base("rax", 0xbfc00000bfc00000).computed();
  EXPECT_EQ(found(b.diagnosis(), Cause::null_pointer), nullptr);
  Build unread;
  unread.frames({{"gather", mine}}).signal(SIGSEGV, 128);
  unread.s.termination.address = Address{0};
  unread.s.fault = Fault{.pc = unread.s.threads[0].frames[0].pc};
  EXPECT_EQ(verdict(unread), "unknown");
}

TEST(NullPointer, NotForACodeThatTellsNoAddress) {
  Build b;  // SEGV_CPERR: a shadow stack disagrees; si_addr is 0
  b.frames({{"f", app}}).reads(8, 0, 10).base("rax", 0);
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(NullPointer, NotForAFailedCallsMinusOne) {
  Build b;
  b.frames({{"use", app}}).reads(1, ~0ull).base("rax", ~0ull);
  EXPECT_EQ(verdict(b), "wild-pointer plausible");
}

TEST(NullPointer, InsideTheInterpreterItIsOnlyASymptom) {
  Build b;
  b.frames({{"list_dealloc", python}, {"_PyEval_EvalFrameDefault", python}, {"Py_RunMain", python}})
      .reads(8, 8)
      .base("rax", 0, 8);
  EXPECT_EQ(verdict(b), "null-pointer plausible");
}

// ---- out-of-bounds

TEST(OutOfBounds, LiveBaseHugeIndex) {
  Build b;
  b.frames({{"gather", mine}})
      .writes(4, at::heap + 0x100 + 0x4000000)
      .base("rax", at::heap + 0x100)
      .index("rdx", 0x1000000, 4);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("index 16,777,216 (times 4)"), std::string::npos);
}

TEST(OutOfBounds, PointerInTheIndexSlot) {
  Build b;
  b.frames({{"gather", mine}}).reads(1, at::heap + 0x40000000).base("rcx", 0x40000000).index("rdi", at::heap, 1);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(OutOfBounds, ComputedNonCanonical) {
  Build b;
  b.frames({{"gather", mine}})
      .reads(8, at::heap + 0x4000000000000000)
      .base("rax", at::heap)
      .index("rdx", 0x800000000000000, 8)
      .computed();
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(OutOfBounds, SumMadeEarlierWithItsPartsStillThere) {
  Build b;
  b.frames({{"DOUBLE_add", mine}}).reads(8, at::heap + 0x80000100).base("rdx", at::heap + 0x80000100);
  EXPECT_EQ(verdict(b), "unknown");
  b.reg("rdi", at::heap + 0x100).reg("rbx", 0x80000000);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
  Build elements;
  elements.frames({{"f", mine}})
      .reads(4, at::heap + 0x40000000)
      .base("rdx", at::heap + 0x40000000)
      .reg("r8", at::heap)
      .reg("r9", 0x10000000);
  EXPECT_EQ(verdict(elements), "out-of-bounds strong");
}

TEST(OutOfBounds, NotForPartsThatDoNotAddUp) {
  Build b;
  b.frames({{"f", mine}}).reads(8, at::heap + 0x80000100).base("rdx", at::heap + 0x80000100);
  b.reg("rdi", at::heap + 0x100).reg("rbx", 0x80000001);
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(OutOfBounds, AnAddressThatOnlyASumLeadsTo) {
  const auto verdict_at = [](std::uint64_t address) {
    Build b;
    b.frames({{"gather", mine}}).reads(4, address).base("rax", address);
    return verdict(b);
  };
  EXPECT_EQ(verdict_at(at::heap + 4 * 100'000'000'000), "out-of-bounds plausible");
  EXPECT_EQ(verdict_at(at::heap + (9ull << 30) + 0x31230), "out-of-bounds plausible");
  EXPECT_EQ(verdict_at(at::heap + (2ull << 30)), "unknown");
  EXPECT_EQ(verdict_at(at::heap - (1ull << 40) - 0x31230), "out-of-bounds plausible");
  EXPECT_EQ(verdict_at(at::app_text - (700ull << 20) - 0x31230), "out-of-bounds plausible") << "below everything";
  EXPECT_EQ(verdict_at(0x12345678a0), "wild-pointer plausible");
  EXPECT_EQ(verdict_at(at::heap ^ (1ull << 41)), "wild-pointer plausible");  // one bit off
}

TEST(OutOfBounds, BehindTheHeapFurtherThanItEverWas) {
  Build b;
  b.frames({{"gather", mine}}).reads(4, at::heap + (2ull << 30)).base("rax", at::heap + (2ull << 30));
  b.s.process.resident_bytes = 100u << 20;
  EXPECT_EQ(verdict(b), "out-of-bounds plausible");
  b.s.timeline.emplace().processes.push_back({.anonymous_bytes = {1u << 20, 3u << 30, 1u << 20}});
  EXPECT_EQ(verdict(b), "unknown") << "it may have shrunk";
}

TEST(OutOfBounds, WalksOverTheEnd) {
  for (const std::uint64_t end : {at::heap_end, at::map_end, at::file_end, at::stack_end}) {
    Build b;
    b.frames({{"total", mine}}).reads(4, end).base("rax", end);
    EXPECT_EQ(verdict(b), "out-of-bounds strong") << std::hex << end;
  }
}

TEST(OutOfBounds, NotWhereTheWalkHasNotBegun) {
  Build b;  // element 0 of memory that is gone, right above something mapped
  b.frames({{"reduce", torch}}).reads(32, at::map_end).base("rcx", at::map_end + 0x60, -0x60).index("rdx", 0, 4);
  EXPECT_EQ(verdict(b), "unknown");
  Build stack;
  stack.frames({{"reduce", torch}}).reads(4, at::thread_stack_end).base("rcx", at::thread_stack_end);
  EXPECT_EQ(verdict(stack), "unknown");
}

TEST(OutOfBounds, WideLoadAcrossTheEnd) {
  Build b;
  b.frames({{"__memcpy_evex_unaligned_erms", libc}, {"copy_rows", mine}})
      .reads(32, at::map_end)
      .base("rsi", at::map_end - 0x10);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(OutOfBounds, EndOfAThreadArena) {
  Build b;
  b.frames({{"fill", app}}).writes(8, at::arena_end, SEGV_ACCERR).base("rax", at::arena_end);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(OutOfBounds, BeforeTheStart) {
  Build b;
  b.frames({{"back", app}}).reads(4, at::map - 4).base("rax", at::map - 4);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(OutOfBounds, NegativeLength) {
  Build b;
  b.frames({{"__memmove_avx_unaligned_erms", libc}, {"erase", torch}})
      .reads(32, 0x5e6f00000000)
      .base("rsi", 0x5e6f00000000);
  b.reg("rdx", 0 - 0x91800000000ull);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(OutOfBounds, FortifiedCopy) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"__chk_fail", libc}, {"parse", app}}).aborts();
  b.text(TextKind::abort_message, "*** buffer overflow detected ***: terminated");
  EXPECT_EQ(verdict(b), "out-of-bounds proven");
}

TEST(OutOfBounds, NotForALoneFarAddress) {
  Build b;  // far from all, nothing in a register that leads back
  b.frames({{"f", app}}).reads(4, 0x123456789000).base("rax", 0x123456789000);
  EXPECT_EQ(found(b.diagnosis(), Cause::out_of_bounds), nullptr);
}

TEST(OutOfBounds, NotForTheStartOfAnUnmappedBlock) {
  Build b;
  b.frames({{"sum", mine}}).reads(64, at::map_end + 0x10).base("rax", at::map_end + 0x10);
  EXPECT_EQ(verdict(b), "use-after-free strong");
}

// ---- write-to-read-only

TEST(WriteToReadOnly, Literal) {
  Build b;
  b.frames({{"upper", app}}).writes(1, at::app_constants + 9, SEGV_ACCERR).base("rbp", at::app_constants + 9);
  EXPECT_EQ(verdict(b), "write-to-read-only proven");
}

TEST(WriteToReadOnly, MappedFile) {
  Build b;
  b.frames({{"store", mine}}).writes(8, at::file + 0x2000, SEGV_ACCERR).base("rdi", at::file + 0x2000);
  EXPECT_EQ(verdict(b), "write-to-read-only proven");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("train.f32"), std::string::npos);
}

TEST(WriteToReadOnly, NotAReadOfAGuard) {
  Build b;
  b.frames({{"f", app}}).reads(8, at::guard + 8, SEGV_ACCERR).base("rax", at::guard + 8);
  EXPECT_EQ(found(b.diagnosis(), Cause::write_to_read_only), nullptr);
}

TEST(WriteToReadOnly, NotAnOverrunIntoIt) {
  Build b;
  b.region(at::map).end = Address{at::file};
  b.frames({{"fill", app}}).writes(8, at::file, SEGV_ACCERR).base("rax", at::file);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

TEST(WriteToReadOnly, StartOfAFileBehindOtherMemory) {
  Build b;
  b.region(at::map).end = Address{at::file};
  b.frames({{"store", app}}).writes(8, at::file, SEGV_ACCERR).base("rax", at::file);
  b.reg("rax", at::file).reg("r14", at::file);
  EXPECT_EQ(verdict(b), "write-to-read-only strong");
  b.reg("rbx", at::map + 0x100);
  EXPECT_EQ(verdict(b), "out-of-bounds strong");
}

// ---- bad-jump, stack-smashed

TEST(BadJump, NullCallNamesTheCaller) {
  Build b;
  b.frames({{"", nowhere}, {"run_hooks", app}, {"main", app}}).jump(0);
  b.s.threads[0].frames[1].trust = Trust::return_slot;
  EXPECT_EQ(verdict(b), "bad-jump proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim, "run_hooks() in app called a function through a null pointer");
}

TEST(BadJump, IntoTheHeap) {
  Build b;
  b.frames({{"", nowhere}, {"run_hooks", app}}).jump(at::heap + 0x10, SEGV_ACCERR);
  EXPECT_EQ(verdict(b), "bad-jump proven");
}

TEST(BadJump, HalfAPointerIsSaid) {
  Build b;
  b.frames({{"", nowhere}, {"train", mine}}).jump(0xf7801010);
  ASSERT_EQ(verdict(b), "bad-jump proven");
  bool said = false;
  const auto d = b.diagnosis();
  for (const auto& fact : d.findings[0].evidence_for) said |= fact.sentence.find("lower 32 bits") != std::string::npos;
  EXPECT_TRUE(said);
}

TEST(BadJump, BytesThatAreNoInstruction) {
  Build b;
  b.frames({{"f", app}}).signal(SIGILL, ILL_ILLOPN).runs("");
  EXPECT_EQ(verdict(b), "bad-jump plausible");
}

TEST(BadJump, NotAVirtualCallOfNull) {
  Build b;
  b.frames({{"area_of", app}}).reads(8, 0x10).base("rax", 0, 0x10);
  b.s.fault->instruction->is_call = true;
  EXPECT_EQ(verdict(b), "null-pointer strong");  // the object may have been overwritten
}

TEST(BadJump, NotDataThatHappensToBeFar) {
  Build b;
  b.frames({{"f", app}}).reads(8, 0x123456789000).base("rax", 0x123456789000);
  EXPECT_EQ(found(b.diagnosis(), Cause::bad_jump), nullptr);
}

TEST(StackSmashed, ByTheGuardWord) {
  Build b;
  b.frames({{"raise", libc}, {"abort", libc}, {"__fortify_fail", libc}, {"__stack_chk_fail", libc}, {"tokenise", mine}})
      .aborts();
  b.text(TextKind::abort_message, "*** stack smashing detected ***: terminated");
  EXPECT_EQ(verdict(b), "stack-smashed proven");
}

TEST(StackSmashed, ReturnToText) {
  Build b;
  b.frames({{"parse", app}}).signal(SIGSEGV, 128).runs("ret");
  b.s.fault->access = Access::execute;
  b.s.fault->address = Address{0x4141414141414141};
  b.s.fault->address_computed = true;
  EXPECT_EQ(verdict(b), "stack-smashed strong");
  EXPECT_NE(found(b.diagnosis(), Cause::bad_jump), nullptr);
}

TEST(StackSmashed, NotForTheWordsAlone) {
  Build b;  // the program printed them itself and aborted
  b.frames({{"raise", libc}, {"abort", libc}, {"fail", app}, {"main", app}}).aborts();
  b.text(TextKind::abort_message, "*** stack smashing detected ***: terminated");
  EXPECT_EQ(found(b.diagnosis(), Cause::stack_smashed), nullptr);
  EXPECT_EQ(verdict(b), "failed-check plausible");
}

TEST(StackSmashed, NoReturnAddressWhereACallLeavesOne) {
  Build b;
  b.frames({{"", nowhere}, {"__libc_start_main", libc}}).jump(0x1badc0de0005);
  b.s.threads[0].frames[1].trust = Trust::scan;
  EXPECT_EQ(verdict(b), "bad-jump proven");
  EXPECT_NE(found(b.diagnosis(), Cause::stack_smashed), nullptr);
  EXPECT_EQ(b.diagnosis().findings[0].claim, "the program jumped to an address where nothing is mapped");
}

TEST(StackSmashed, NotForACallToNowhere) {
  Build b;
  b.frames({{"", nowhere}, {"f", app}}).jump(0x1234567000);
  EXPECT_EQ(found(b.diagnosis(), Cause::stack_smashed), nullptr);
}

}  // namespace sigwhy::diagnose
