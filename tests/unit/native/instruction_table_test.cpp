// Hand-assembled instructions and what each of them touches. Registers hold round numbers, so that every address in
// the table can be checked by eye: rax 1000, rbx 2000, rcx 3, rdx 4000, rsi 5000, rdi 6000, rbp 7000, rsp 8000,
// r8 9000, r9 2, r12 a000, rip 400000, fs 10000000, gs 20000000 (all hex).
#include <gtest/gtest.h>

#include <random>

#include "evidence/names.h"
#include "native/instruction.h"

namespace sigwhy::test {
namespace {

user_regs_struct round_registers() {
  user_regs_struct r{};
  r.rax = 0x1000, r.rbx = 0x2000, r.rcx = 3, r.rdx = 0x4000, r.rsi = 0x5000, r.rdi = 0x6000, r.rbp = 0x7000;
  r.rsp = 0x8000, r.r8 = 0x9000, r.r9 = 2, r.r12 = 0xa000, r.rip = 0x400000;
  r.fs_base = 0x10000000, r.gs_base = 0x20000000;
  return r;
}

std::vector<std::byte> bytes(std::string_view hex) {
  std::vector<std::byte> result;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    result.push_back(std::byte(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return result;
}

// "read 4 [rax] 1000; write 8 [rsp-0x8] 7ff8"; a question mark where there is no one address.
std::string touched(const Instruction& instruction) {
  std::string text;
  for (const auto& o : instruction.operands) {
    char address[32] = "?";
    if (o.address) std::snprintf(address, sizeof address, "%llx", static_cast<unsigned long long>(o.address->value));
    text += (text.empty() ? "" : "; ") + std::string(to_name(o.access)) + " " + std::to_string(o.width_bytes) + " " +
            o.text + " " + address;
  }
  return text;
}

std::string joined(const std::optional<std::vector<std::string>>& words) {
  if (!words) return "undecided";
  std::string text;
  for (const auto& word : *words) text += (text.empty() ? "" : " ") + word;
  return text;
}

struct Row {
  const char* hex;
  const char* mnemonic;
  const char* operands;
  const char* needs = "undecided";
};

const Row rows[] = {
    {"8b00", "mov", "read 4 [rax] 1000"},
    {"488908", "mov", "write 8 [rax] 1000"},
    {"8b0488", "mov", "read 4 [rax+rcx*4] 100c"},
    {"488b44c8f8", "mov", "read 8 [rax+rcx*8-0x8] 1010"},
    {"8b05 10000000", "mov", "read 4 [rip+0x10] 400016"},
    {"64488b042528000000", "mov", "read 8 fs:[0x28] 10000028"},
    {"65488b00", "mov", "read 8 gs:[rax] 20001000"},
    {"678b00", "mov", "read 4 [eax] 1000"},
    {"a11122334455667788", "mov", "read 4 [0x8877665544332211] 8877665544332211"},
    {"830001", "add", "read-write 4 [rax] 1000"},
    {"f00fb10f", "cmpxchg", "read-write 4 [rdi] 6000"},
    {"480fc70f", "cmpxchg16b", "read-write 16 [rdi] 6000", "cx16"},
    {"488700", "xchg", "read-write 8 [rax] 1000"},
    {"488d4408 08", "lea", ""},
    {"0f1f00", "nop", ""},
    {"0f1808", "prefetcht0", ""},
    {"50", "push", "write 8 [rsp-0x8] 7ff8"},
    {"ff30", "push", "read 8 [rax] 1000; write 8 [rsp-0x8] 7ff8"},
    {"58", "pop", "read 8 [rsp] 8000"},
    {"8f442408", "pop", "write 8 [rsp+0x8] 8010; read 8 [rsp] 8000"},
    {"e800000000", "call", "write 8 [rsp-0x8] 7ff8"},
    {"ffd0", "call", "write 8 [rsp-0x8] 7ff8"},
    {"ff5018", "call", "read 8 [rax+0x18] 1018; write 8 [rsp-0x8] 7ff8"},
    {"ff20", "jmp", "read 8 [rax] 1000"},
    {"c3", "ret", "read 8 [rsp] 8000"},
    {"c9", "leave", "read 8 [rbp] 7000"},
    {"c8100000", "enter", "write 8 [rsp-0x8] 7ff8"},
    {"9c", "pushfq", "write 8 [rsp-0x8] 7ff8"},
    {"a4", "movsb", "write 1 [rdi] 6000; read 1 [rsi] 5000"},
    {"f348a5", "movsq", "write 8 [rdi] 6000; read 8 [rsi] 5000"},
    {"f3aa", "stosb", "write 1 [rdi] 6000"},
    {"ac", "lodsb", "read 1 [rsi] 5000"},
    {"f3a6", "cmpsb", "read 1 [rsi] 5000; read 1 [rdi] 6000"},
    {"d7", "xlat", "read 1 [rbx+al] 2000"},
    {"0f2800", "movaps", "read 16 [rax] 1000"},
    {"f30f1000", "movss", "read 4 [rax] 1000"},
    {"660f38dc00", "aesenc", "read 16 [rax] 1000", "aes"},
    {"f20f7c00", "haddps", "read 16 [rax] 1000", "pni"},
    {"660f380000", "pshufb", "read 16 [rax] 1000", "ssse3"},
    {"f20f38f100", "crc32", "read 4 [rax] 1000", "sse4_2"},
    {"660f3a0c0000", "blendps", "read 16 [rax] 1000", "sse4_1"},
    {"f30fb800", "popcnt", "read 4 [rax] 1000", "popcnt"},
    {"f30fbd00", "lzcnt", "read 4 [rax] 1000", "abm"},
    {"0f38f000", "movbe", "read 4 [rax] 1000", "movbe"},
    {"0f38c800", "sha1nexte", "read 16 [rax] 1000", "sha_ni"},
    {"c5fc5800", "vaddps", "read 32 [rax] 1000", "avx"},
    {"c5fdfe00", "vpaddd", "read 32 [rax] 1000", "avx2"},
    {"c4e2f5b800", "vfmadd231pd", "read 32 [rax] 1000", "fma"},
    {"c4e27d1300", "vcvtph2ps", "read 16 [rax] 1000", "f16c"},
    {"c4e278f200", "andn", "read 4 [rax] 1000", "bmi1"},
    {"c4e27bf700", "shrx", "read 4 [rax] 1000", "bmi2"},
    {"c4e2759004a8", "vpgatherdd", "read 4 [rax+ymm5*4] ?", "avx2"},
    {"62f17c485800", "vaddps", "read 64 [rax] 1000", "avx512f"},
    {"62f17c285800", "vaddps", "read 32 [rax] 1000", "avx512f avx512vl"},
    {"62f17c48584001", "vaddps", "read 64 [rax+0x40] 1040", "avx512f"},
    {"62f1fd48fd00", "vpaddw", "read 64 [rax] 1000", "avx512f avx512bw"},
    {"62f1fe487f00", "vmovdqu64", "write 64 [rax] 1000", "avx512f"},
    {"62f2754850 00", "vpdpbusd", "read 64 [rax] 1000", "avx512f avx512_vnni"},
    {"62f2764852 00", "vdpbf16ps", "read 64 [rax] 1000", "avx512f avx512_bf16"},
    {"62f57c485800", "vaddph", "read 64 [rax] 1000", "avx512f avx512_fp16"},
    {"62f27548 8d00", "vpermb", "read 64 [rax] 1000", "avx512f avx512vbmi"},
    {"62f27d49a004a8", "vpscatterdd", "write 4 [rax+zmm5*4] ?", "avx512f"},
    {"c4e27150 00", "vpdpbusd", "read 16 [rax] 1000", "avx_vnni"},
    {"c4e27b4b0408", "tileloadd", "read 4 [rax+rcx] ?", "amx_tile"},
    {"c4e26b5ec1", "tdpbssd", "", "amx_tile amx_int8"},
    {"c4e26a5cc1", "tdpbf16ps", "", "amx_tile amx_bf16"},
    {"0f0f009e", "pfadd", "read 8 [rax] 1000", "3dnow"},
    {"0f0f008e", "pfpnacc", "read 8 [rax] 1000", "3dnowext"},
    {"0fc7f0", "rdrand", "", "rdrand"},
    {"660f38f600", "adcx", "read 4 [rax] 1000", "adx"},
    {"8fe97001c8", "blcfill", "", "tbm"},
    {"c5f91100", "vmovupd", "write 16 [rax] 1000", "avx"},
    {"41890424", "mov", "write 4 [r12] a000"},
    {"438b0488", "mov", "read 4 [r8+r9*4] 9008"},
    {"8a6001", "mov", "read 1 [rax+0x1] 1001"},
};

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

class Table : public testing::TestWithParam<Row> {};

TEST_P(Table, IsDecoded) {
  const auto code = bytes(without_spaces(GetParam().hex));
  const auto instruction = native::decode_instruction(code, round_registers(), {"fpu"}, nullptr);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(instruction->mnemonic, GetParam().mnemonic);
  EXPECT_EQ(instruction->bytes.size(), code.size() * 2);
  EXPECT_EQ(touched(*instruction), GetParam().operands);
  EXPECT_EQ(joined(instruction->missing_features), GetParam().needs);
  EXPECT_FALSE(instruction->deliberate_trap);
}

INSTANTIATE_TEST_SUITE_P(Instruction, Table, testing::ValuesIn(rows));

TEST(Instruction, TrapsAreDeliberate) {
  for (const auto* hex : {"0f0b", "0fb900", "0fff00", "cc", "f1", "f4", "cd29"}) {
    const auto instruction = native::decode_instruction(bytes(hex), round_registers(), {}, nullptr);
    ASSERT_TRUE(instruction) << hex;
    EXPECT_TRUE(instruction->deliberate_trap) << hex;
    EXPECT_TRUE(instruction->operands.empty()) << hex;
  }
  EXPECT_FALSE(native::decode_instruction(bytes("cd80"), round_registers(), {}, nullptr)->deliberate_trap);
}

TEST(Instruction, FeaturesThatAreThereAreNotMissing) {
  const auto code = bytes("62f17c285800");
  const auto all = native::decode_instruction(code, round_registers(), {"avx512f", "avx512vl"}, nullptr);
  EXPECT_EQ(joined(all->missing_features), "");
  const auto one = native::decode_instruction(code, round_registers(), {"avx512f"}, nullptr);
  EXPECT_EQ(joined(one->missing_features), "avx512vl");
  const auto unknown = native::decode_instruction(code, round_registers(), {}, nullptr);
  EXPECT_EQ(joined(unknown->missing_features), "undecided");
}

TEST(Instruction, DivisionsShowTheirValues) {
  struct {
    const char* hex;
    bool is_signed;
    std::uint64_t width, divisor, low, high;
  } const cases[] = {{"f7f1", false, 4, 3, 0x1000, 0x4000},
                     {"48f7f9", true, 8, 3, 0x1000, 0x4000},
                     {"66f7f1", false, 2, 3, 0x1000, 0x4000},
                     {"f6f1", false, 1, 3, 0x00, 0x10}};
  for (const auto& c : cases) {
    const auto d = native::decode_instruction(bytes(c.hex), round_registers(), {}, nullptr)->division;
    ASSERT_TRUE(d) << c.hex;
    EXPECT_EQ(d->is_signed, c.is_signed) << c.hex;
    EXPECT_EQ(d->width_bytes, c.width) << c.hex;
    EXPECT_EQ(d->divisor, c.divisor) << c.hex;
    EXPECT_EQ(d->dividend_low, c.low) << c.hex;
    EXPECT_EQ(d->dividend_high, c.high) << c.hex;
  }
}

TEST(Instruction, GarbageNeverHarms) {
  std::mt19937 random(7);
  const auto registers = round_registers();
  std::size_t known = 0;
  for (int i = 0; i < 100'000; ++i) {
    std::byte code[15];
    for (auto& b : code) b = std::byte(random() & 0xff);
    known += native::decode_instruction(code, registers, {"sse2"}, nullptr).has_value();
  }
  EXPECT_GT(known, 10'000u);
  EXPECT_FALSE(native::decode_instruction({}, registers, {}, nullptr));
}

}  // namespace
}  // namespace sigwhy::test
