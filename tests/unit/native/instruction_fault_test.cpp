// Real faults: one program that dies in a way its argument names, stopped at the signal.
#include <gtest/gtest.h>

#include <algorithm>

#include "native/host.h"
#include "native/instruction.h"
#include "unwind_child.h"

namespace sigwhy::test {
namespace {

const char* const ways = R"~(
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
static char* page(int protection) { return mmap(0, 8192, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); }
static char* last_page(void) { char* p = page(3); munmap(p + 4096, 4096); return p; }
static const char constant[64] __attribute__((aligned(64))) = "constant";
__attribute__((noinline)) static long deep(long n) { volatile char k[100]; k[0] = n; return deep(n + 1) + k[0]; }
int main(int argc, char** argv) {
  const char* way = argv[1];
  volatile long zero = 0;
#define WAY(name) else if (!strcmp(way, name))
  if (!way) return 1;
  WAY("null-read") __asm__ volatile("mov 0x18(%0), %%eax" ::"r"(zero) : "eax");
  WAY("null-write") __asm__ volatile("movq $1, (%0,%1,8)" ::"r"(zero), "r"(3L));
  WAY("non-canonical") __asm__ volatile("mov (%0), %%rax" ::"r"(0xbfc00000bfc00000) : "rax");
  WAY("non-canonical-push") __asm__ volatile("mov %0, %%rsp; push %%rax" ::"r"(0x4141414141414140));
  WAY("read-only") __asm__ volatile("addl $1, (%0)" ::"r"(constant) : "memory");
  WAY("misaligned") __asm__ volatile("movaps 4(%0), %%xmm0" ::"r"(constant));
  WAY("straddle") __asm__ volatile("mov (%0), %%rax" ::"r"(last_page() + 4092) : "rax");
  WAY("copy-out") __asm__ volatile("rep movsb" ::"S"(constant), "D"(last_page() + 4090), "c"(64) : "memory");
  WAY("copy-in") __asm__ volatile("rep movsb" ::"S"(last_page() + 4090), "D"(page(3)), "c"(64) : "memory");
  WAY("jump-null") ((void (*)(void))zero)();
  WAY("jump-data") ((void (*)(void))page(3))();
  WAY("jump-wild") __asm__ volatile("jmp *%0" ::"r"(0x4141414141414141));
  WAY("return-wild") __asm__ volatile("push %0; ret" ::"r"(0x4242424242424242));
  WAY("divide") __asm__ volatile("cqto; idivq %1" ::"a"(42L), "m"(zero) : "rdx");
  WAY("overflow") return (int)deep(argc);
  WAY("trap") __builtin_trap();
  WAY("breakpoint") __asm__ volatile("int3; nop");
  WAY("halt") __asm__ volatile("hlt");
  WAY("amx") __asm__ volatile(".byte 0xc4,0xe2,0x6b,0x5e,0xc1");
  WAY("garbage") __asm__ volatile(".byte 0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06,0x06");
  WAY("gather")
    __asm__ volatile("vpxor %%xmm1,%%xmm1,%%xmm1; vpcmpeqd %%ymm2,%%ymm2,%%ymm2;"
                     "vpgatherdd %%ymm2,(%0,%%ymm1,4),%%ymm0" ::"r"(0x1000L));
  WAY("abort") abort();
  WAY("killed") kill(getpid(), SIGSEGV);
  WAY("bus") {
    FILE* f = tmpfile();
    char* p = mmap(0, 4096, 3, MAP_SHARED, fileno(f), 0);
    __asm__ volatile("movb $1, 16(%0)" ::"r"(p));
  }
  return 0;
}
)~";

std::optional<Fault> fault_by(const std::string& way) {
  StoppedChild child({compiled("ways.c", ways, "-O1 -no-pie -fno-pie"), way});
  EXPECT_FALSE(child.target.threads.empty()) << way << " did not die";
  return native::fault_of(child.target, native::this_host());
}

// Which operand it was, and that the kernel's or the computed address is in it.
void expect_operand(const std::optional<Fault>& fault, Access access, std::uint64_t width) {
  ASSERT_TRUE(fault && fault->instruction && fault->operand && fault->address);
  EXPECT_EQ(fault->access, access) << fault->instruction->text;
  EXPECT_EQ(fault->width_bytes, width);
}

TEST(Fault, NullIsSmallAndShowsItsBase) {
  const auto read = fault_by("null-read");
  expect_operand(read, Access::read, 4);
  EXPECT_EQ(read->address->value, 0x18u);
  EXPECT_EQ(read->instruction->operands[*read->operand].base_value, Address{0});
  EXPECT_FALSE(read->address_computed);
  const auto write = fault_by("null-write");
  expect_operand(write, Access::write, 8);
  EXPECT_EQ(write->address->value, 24u);
  EXPECT_EQ(write->instruction->operands[*write->operand].index_value, Address{3});
}

TEST(Fault, NonCanonicalIsComputed) {
  const auto fault = fault_by("non-canonical");
  expect_operand(fault, Access::read, 8);
  EXPECT_EQ(fault->address->value, 0xbfc00000bfc00000u);
  EXPECT_TRUE(fault->address_computed);
  const auto push = fault_by("non-canonical-push");
  expect_operand(push, Access::write, 8);
  EXPECT_EQ(push->address->value, 0x4141414141414138u);
}

TEST(Fault, ReadModifyWriteOfReadOnlyMemoryIsAWrite) { expect_operand(fault_by("read-only"), Access::write, 4); }

TEST(Fault, MisalignedVectorShowsItsAddress) {
  const auto fault = fault_by("misaligned");
  expect_operand(fault, Access::read, 16);
  EXPECT_TRUE(fault->address_computed);
  EXPECT_EQ(fault->address->value % 16, 4u);
}

TEST(Fault, AnAccessAcrossThePageEndCounts) {
  const auto fault = fault_by("straddle");
  expect_operand(fault, Access::read, 8);
  EXPECT_EQ(fault->address->value % 4096, 0u);
}

TEST(Fault, CopiesTellSourceFromDestination) {
  expect_operand(fault_by("copy-out"), Access::write, 1);
  expect_operand(fault_by("copy-in"), Access::read, 1);
}

TEST(Fault, JumpsToNoCodeAreExecutions) {
  for (const auto* way : {"jump-null", "jump-data"}) {
    const auto fault = fault_by(way);
    ASSERT_TRUE(fault && fault->address) << way;
    EXPECT_EQ(fault->access, Access::execute) << way;
    EXPECT_EQ(*fault->address, fault->pc) << way;
    EXPECT_FALSE(fault->instruction) << way;
  }
  for (const auto& [way, to] : {std::pair{"jump-wild", 0x4141414141414141u}, {"return-wild", 0x4242424242424242u}}) {
    const auto fault = fault_by(way);
    ASSERT_TRUE(fault && fault->address) << way;
    EXPECT_EQ(fault->access, Access::execute) << way;
    EXPECT_EQ(fault->address->value, to) << way;
  }
}

TEST(Fault, DivisionReadsItsDivisorFromMemory) {
  const auto fault = fault_by("divide");
  ASSERT_TRUE(fault && fault->instruction && fault->instruction->division);
  EXPECT_EQ(fault->instruction->division->divisor, 0u);
  EXPECT_EQ(fault->instruction->division->dividend_low, 42u);
  EXPECT_FALSE(fault->address);
}

TEST(Fault, AnOverflowingStackIsWrittenTo) {
  const auto fault = fault_by("overflow");
  ASSERT_TRUE(fault && fault->address && fault->instruction);
  EXPECT_EQ(fault->access, Access::write) << fault->instruction->text;
  EXPECT_TRUE(fault->operand);
}

TEST(Fault, TrapsAreDeliberateAndTheirPcTheirOwn) {
  for (const auto& [way, mnemonic] : {std::pair{"trap", "ud2"}, {"breakpoint", "int3"}, {"halt", "hlt"}}) {
    const auto fault = fault_by(way);
    ASSERT_TRUE(fault && fault->instruction) << way;
    EXPECT_EQ(fault->instruction->mnemonic, mnemonic);
    EXPECT_TRUE(fault->instruction->deliberate_trap) << way;
    EXPECT_FALSE(fault->address) << way;
  }
}

TEST(Fault, AnInstructionThisCpuLacksNamesTheFeature) {
  const auto host = native::this_host();
  if (std::ranges::find(host.cpu_features, "amx_tile") != host.cpu_features.end()) GTEST_SKIP() << "has AMX";
  const auto fault = fault_by("amx");
  ASSERT_TRUE(fault && fault->instruction && fault->instruction->missing_features);
  EXPECT_EQ(*fault->instruction->missing_features, (std::vector<std::string>{"amx_tile", "amx_int8"}));
}

TEST(Fault, UndecodableCodeIsKeptAsBytes) {
  const auto fault = fault_by("garbage");
  ASSERT_TRUE(fault && fault->instruction);
  EXPECT_EQ(fault->instruction->bytes.substr(0, 8), "06060606");
  EXPECT_TRUE(fault->instruction->mnemonic.empty());
  EXPECT_FALSE(fault->instruction->missing_features);
}

TEST(Fault, AGatherIsTheOperandWithoutAddress) {
  const auto host = native::this_host();
  if (std::ranges::find(host.cpu_features, "avx2") == host.cpu_features.end()) GTEST_SKIP() << "no AVX2";
  const auto fault = fault_by("gather");
  expect_operand(fault, Access::read, 4);
  EXPECT_EQ(fault->address->value, 0x1000u);
}

TEST(Fault, ATruncatedFileIsAWrite) { expect_operand(fault_by("bus"), Access::write, 1); }

TEST(Fault, SignalsThatWereSentHaveNone) {
  EXPECT_FALSE(fault_by("abort"));
  EXPECT_FALSE(fault_by("killed"));
}

}  // namespace
}  // namespace sigwhy::test
