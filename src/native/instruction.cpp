#include "native/instruction.h"

#include <algorithm>

#include "native/elf_file.h"
#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

// Instructions that compilers and libraries emit to stop a program on purpose. `int n` faults like them except for
// the one that is a system call.
bool is_deliberate_trap(const Decoded& d) {
  switch (d.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_INT3:
    case ZYDIS_MNEMONIC_HLT: return true;
    case ZYDIS_MNEMONIC_INT: return d.operands()[0].imm.value.u != 0x80;
    default: return false;
  }
}

bool is_call_or_jump(const Decoded& d) {
  return d.instruction.meta.category == ZYDIS_CATEGORY_CALL || d.instruction.meta.category == ZYDIS_CATEGORY_UNCOND_BR;
}

std::string text_of(const Decoded& d, std::uint64_t pc) {
  static const ZydisFormatter formatter = [] {
    ZydisFormatter f;
    ZydisFormatterInit(&f, ZYDIS_FORMATTER_STYLE_INTEL);
    ZydisFormatterSetProperty(&f, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE, ZYAN_FALSE);
    ZydisFormatterSetProperty(&f, ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&f, ZYDIS_FORMATTER_PROP_IMM_PADDING, ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(&f, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE, ZYDIS_PADDING_DISABLED);
    return f;
  }();
  char text[256];
  const auto status =
      ZydisFormatterFormatInstruction(&formatter, &d.instruction, d.all_operands.data(),
                                      d.instruction.operand_count_visible, text, sizeof text, pc, nullptr);
  return ZYAN_SUCCESS(status) ? text : ZydisMnemonicGetString(d.instruction.mnemonic);
}

std::optional<std::vector<std::string>> missing_features(const Decoded& d, const std::vector<std::string>& present) {
  const auto needed = needed_features(d.instruction);
  if (!needed || present.empty()) return std::nullopt;
  std::vector<std::string> missing;
  for (const auto feature : *needed)
    if (std::ranges::find(present, feature) == present.end()) missing.emplace_back(feature);
  return missing;
}

}  // namespace

const ZydisDecoder& decoder() {
  static const ZydisDecoder made = [] {
    ZydisDecoder d;
    ZydisDecoderInit(&d, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    return d;
  }();
  return made;
}

std::optional<Decoded> decode(std::span<const std::byte> code) {
  Decoded d{};
  if (!ZYAN_SUCCESS(
          ZydisDecoderDecodeFull(&decoder(), code.data(), code.size(), &d.instruction, d.all_operands.data())))
    return std::nullopt;
  return d;
}

ZydisRegister whole(ZydisRegister part) { return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, part); }

bool writes(const Decoded& d, ZydisRegister whole_register) {
  return std::ranges::any_of(d.operands(), [&](const ZydisDecodedOperand& o) {
    return o.type == ZYDIS_OPERAND_TYPE_REGISTER && (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && whole(o.reg.value) == whole_register;
  });
}

std::optional<Instruction> decode_instruction(std::span<const std::byte> code, const user_regs_struct& registers,
                                              const std::vector<std::string>& cpu_features, const Memory* memory) {
  const auto d = decode(code);
  if (!d) return std::nullopt;
  Instruction result;
  result.text = text_of(*d, registers.rip);
  result.mnemonic = ZydisMnemonicGetString(d->instruction.mnemonic);
  result.bytes = hex(code.first(d->instruction.length));
  result.extension = ZydisISASetGetString(d->instruction.meta.isa_set);
  result.missing_features = missing_features(*d, cpu_features);
  result.deliberate_trap = is_deliberate_trap(*d);
  result.is_call = is_call_or_jump(*d);
  if (!result.deliberate_trap) result.operands = memory_operands(*d, registers);
  result.division = division_of(*d, registers, memory);
  return result;
}

}  // namespace sigwhy::native
