// What the files of the decoder share: one decoded instruction with all operands, implicit ones too.
#pragma once
#include <Zydis/Zydis.h>
#include <sys/user.h>

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/thread.h"
#include "target/memory.h"

namespace sigwhy::native {

struct Decoded {
  ZydisDecodedInstruction instruction;
  std::array<ZydisDecodedOperand, ZYDIS_MAX_OPERAND_COUNT> all_operands;

  std::span<const ZydisDecodedOperand> operands() const {
    return std::span(all_operands).first(instruction.operand_count);
  }
  bool repeats() const {
    return instruction.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE);
  }
};

const ZydisDecoder& decoder();
std::optional<Decoded> decode(std::span<const std::byte> code);

ZydisRegister whole(ZydisRegister part);  // rax for al
bool writes(const Decoded& decoded, ZydisRegister whole_register);

// The value of a general register or a part of one; nothing for vector, mask and system registers.
std::optional<std::uint64_t> register_value(ZydisRegister name, const user_regs_struct& registers);

std::vector<MemoryOperand> memory_operands(const Decoded& decoded, const user_regs_struct& registers);

std::optional<Division> division_of(const Decoded& decoded, const user_regs_struct& registers, const Memory* memory);

// Where an indirect jump, call or return goes; nothing for direct ones and where memory cannot be read.
std::optional<Address> branch_target(const Decoded& decoded, const user_regs_struct& registers, const Memory& memory);

// CPU features (as /proc/cpuinfo names them) the instruction needs; nothing where that is not known, and for what
// every x86-64 processor has.
std::optional<std::vector<std::string_view>> needed_features(const ZydisDecodedInstruction& instruction);

}  // namespace sigwhy::native
