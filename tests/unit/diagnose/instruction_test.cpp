// Deaths by an instruction that is no memory access, and SIGBUS.
#include <gtest/gtest.h>

#include "snapshot_builder.h"

namespace sigwhy::diagnose {

// ---- division-by-zero

static Build divides(std::optional<std::uint64_t> divisor, bool is_signed = true) {
  Build b;
  b.frames({{"channel_shuffle", torch}}).signal(SIGFPE, FPE_INTDIV).runs("idiv");
  b.s.fault->instruction->division = Division{.is_signed = is_signed,
                                              .width_bytes = 4,
                                              .divisor = divisor,
                                              .dividend_low = 0x80000000,
                                              .dividend_high = 0xffffffff};
  return b;
}

TEST(DivisionByZero, DivisorIsZero) {
  EXPECT_EQ(verdict(divides(0)), "division-by-zero proven");
  EXPECT_EQ(verdict(divides(0, false)), "division-by-zero proven");
}

TEST(DivisionByZero, DivisorUnread) { EXPECT_EQ(verdict(divides(std::nullopt)), "division-by-zero strong"); }

TEST(DivisionByZero, FloatWhereAskedFor) {
  Build b;
  b.frames({{"f", app}}).signal(SIGFPE, FPE_FLTDIV).runs("divsd");
  EXPECT_EQ(verdict(b), "division-by-zero proven");
}

TEST(DivisionByZero, NotTheSmallestIntegerByMinusOne) {
  const auto b = divides(0xffffffff);
  EXPECT_EQ(verdict(b), "unknown");
  EXPECT_EQ(b.diagnosis().certain[0],
            "channel_shuffle() in libtorch_cpu.so divided -2,147,483,648 by -1: the result does not fit, and the CPU "
            "stops the "
            "program (this is no division by zero)");
}

TEST(DivisionByZero, NotWhenSentOrInvalid) {
  Build raised;
  raised.frames({{"raise", libc}, {"f", app}}).sent(SIGFPE, 100, SenderRelation::itself, SI_TKILL);
  EXPECT_EQ(verdict(raised), "unknown");
  Build invalid;
  invalid.frames({{"f", app}}).signal(SIGFPE, FPE_FLTINV).runs("sqrtsd");
  EXPECT_EQ(verdict(invalid), "unknown");
}

// ---- unsupported-instruction, deliberate-trap

TEST(UnsupportedInstruction, NamesTheFeature) {
  Build b;
  b.frames({{"kernel", torch}}).signal(SIGILL, ILL_ILLOPN).runs("vaddph");
  b.s.fault->instruction->missing_features = {"avx512_fp16"};
  EXPECT_EQ(verdict(b), "unsupported-instruction proven");
  EXPECT_NE(b.diagnosis().findings[0].claim.find("avx512_fp16"), std::string::npos);
}

TEST(UnsupportedInstruction, OldOnesToo) {
  Build b;
  b.frames({{"halve_all", mine}}).signal(SIGILL, ILL_ILLOPN).runs("pfadd");
  b.s.fault->instruction->missing_features = {"3dnow"};
  EXPECT_EQ(verdict(b), "unsupported-instruction proven");
}

TEST(UnsupportedInstruction, NotWhenTheCpuHasIt) {
  Build b;
  b.frames({{"f", app}}).signal(SIGILL, ILL_ILLOPN).runs("vaddps");
  b.s.fault->instruction->missing_features.emplace();
  EXPECT_EQ(verdict(b), "unknown");
}

TEST(UnsupportedInstruction, NotUd2) {
  Build b;
  b.frames({{"f", app}}).signal(SIGILL, ILL_ILLOPN).runs("ud2");
  b.s.fault->instruction->deliberate_trap = true;
  b.s.fault->instruction->missing_features.emplace();
  EXPECT_EQ(verdict(b), "deliberate-trap proven");
}

TEST(DeliberateTrap, Int3) {
  Build b;
  b.frames({{"step", mine}}).signal(SIGTRAP, 128).runs("int3");
  b.s.fault->instruction->deliberate_trap = true;
  EXPECT_EQ(verdict(b), "deliberate-trap proven");
}

TEST(DeliberateTrap, NotInDataThatWasRun) {
  Build b;
  b.frames({{"", nowhere}, {"f", app}}).jump(at::heap + 0x10, SEGV_ACCERR);
  EXPECT_EQ(found(b.diagnosis(), Cause::deliberate_trap), nullptr);
}

TEST(DeliberateTrap, NotASentTrap) {
  Build b;
  b.frames({{"f", app}}).sent(SIGTRAP, 7, SenderRelation::other).runs("int3");
  b.s.fault->instruction->deliberate_trap = true;
  EXPECT_EQ(verdict(b), "killed-by-process proven");
}

// ---- SIGBUS

static Build bus(std::uint64_t offset, std::uint64_t file_bytes, const char* path, std::uint64_t free_bytes) {
  Build b;
  b.frames({{"sum", mine}}).signal(SIGBUS, BUS_ADRERR).reads(8, at::file + offset).base("rax", at::file + offset);
  auto& r = b.region(at::file);
  r.path = path;
  if (std::string(path).starts_with("/dev/shm")) r.kind = RegionKind::shared_memory;
  r.file_bytes = file_bytes;
  r.file_system = FileSystem{"tmpfs", 64u << 20, free_bytes};
  return b;
}

TEST(MappedFileTruncated, FileEndsBeforeTheAccess) {
  const auto b = bus(0x2000, 4096, "/data/train.f32", 1 << 30);
  EXPECT_EQ(verdict(b), "mapped-file-truncated proven");
  EXPECT_EQ(b.diagnosis().findings[0].claim,
            "sum() in libcrop.so read 8 bytes of train.f32 at offset 8,192; the file has only 4,096 bytes");
  EXPECT_EQ(verdict(bus(0, 0, "/data/train.f32", 0)), "mapped-file-truncated proven");
}

TEST(MappedFileTruncated, SharedMemoryCanBeCutToo) {
  EXPECT_EQ(verdict(bus(0x3000, 0x1000, "/dev/shm/x", 0)), "mapped-file-truncated proven");
}

TEST(MappedFileTruncated, NotInTheLastPartlyFilledPage) {
  EXPECT_EQ(verdict(bus(0x1ff0, 0x1001, "/data/train.f32", 1 << 30)), "unknown");
}

TEST(MappedFileTruncated, NotWithoutAFile) {
  Build b;  // SIGBUS of a non-canonical stack access, or of alignment checking
  b.frames({{"f", app}}).signal(SIGBUS, BUS_ADRALN).reads(8, at::heap + 3);
  EXPECT_EQ(verdict(b), "unknown");
  Build stack;
  stack.frames({{"f", app}})
      .signal(SIGBUS, 128)
      .reads(8, 0x4141414141414149)
      .base("rbp", 0x4141414141414141, 8)
      .computed();
  EXPECT_EQ(verdict(stack), "wild-pointer plausible");
}

TEST(SharedMemoryFull, NoRoomLeft) {
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/dev/shm/psm_1", 0)), "shared-memory-full proven");
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/dev/shm/psm_1", 8192)), "shared-memory-full strong");
}

TEST(SharedMemoryFull, NotWithRoom) {
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/dev/shm/psm_1", 32u << 20)), "unknown");
}

TEST(SharedMemoryFull, NotForAnOrdinaryFile) {
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/data/x", 0)), "disk-full proven");
}

TEST(DiskFull, FileLongEnoughButNoRoom) {
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/data/activations.dat", 100)), "disk-full proven");
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/data/activations.dat", 100'000)), "disk-full strong");
}

TEST(DiskFull, NotWithRoomNorForACutFile) {
  EXPECT_EQ(verdict(bus(0x3000, 0x10000, "/data/x", 1u << 30)), "unknown");
  EXPECT_EQ(verdict(bus(0x3000, 0x1000, "/data/x", 0)), "mapped-file-truncated proven");
}

}  // namespace sigwhy::diagnose
