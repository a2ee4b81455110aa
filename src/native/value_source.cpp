#include "native/value_source.h"

#include <algorithm>
#include <vector>

#include "native/file_backed_memory.h"
#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t most_code_bytes = 16u << 10;

ZydisRegister whole(ZydisRegister r) { return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r); }

ZydisRegister named(const std::string& name) {
  for (int r = ZYDIS_REGISTER_RAX; r <= ZYDIS_REGISTER_R15; ++r)
    if (name == ZydisRegisterGetString(static_cast<ZydisRegister>(r))) return static_cast<ZydisRegister>(r);
  return ZYDIS_REGISTER_NONE;
}

bool writes(const Decoded& d, ZydisRegister r) {
  return std::ranges::any_of(d.operands(), [&](const ZydisDecodedOperand& o) {
    return o.type == ZYDIS_OPERAND_TYPE_REGISTER && (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && whole(o.reg.value) == r;
  });
}

bool leaves(const Decoded& d) {
  switch (d.instruction.meta.category) {
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_SYSCALL: return true;
    default: return false;
  }
}

bool is_copy(const Decoded& d) {
  switch (d.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_MOV:
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
    case ZYDIS_MNEMONIC_MOVZX: return true;
    default: return false;
  }
}

// The instructions of the function up to the one it died at; empty where they do not meet it.
std::vector<Decoded> code_before(const Target& target, const Frame& frame) {
  const auto size = frame.symbol_offset.value_or(0);
  if (size == 0 || size > most_code_bytes) return {};
  const FileBackedMemory memory(target);
  std::vector<std::byte> code(size);
  if (memory.read(frame.pc - static_cast<std::int64_t>(size), code) != size) return {};
  std::vector<Decoded> all;
  std::span<const std::byte> rest(code);
  while (!rest.empty()) {
    auto d = decode(rest);
    if (!d || d->instruction.length > rest.size()) return {};
    rest = rest.subspan(d->instruction.length);
    all.push_back(*d);
  }
  return all;
}

// By how much an instruction moves a register on; nothing where it gives it another value altogether.
std::optional<std::int64_t> step_of(const Decoded& d, ZydisRegister r) {
  const auto& operands = d.all_operands;
  if (operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || operands[0].reg.value != r) return std::nullopt;
  const bool number = operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
  switch (d.instruction.mnemonic) {
    case ZYDIS_MNEMONIC_ADD: return number ? std::optional(operands[1].imm.value.s) : std::nullopt;
    case ZYDIS_MNEMONIC_SUB: return number ? std::optional(-operands[1].imm.value.s) : std::nullopt;
    case ZYDIS_MNEMONIC_INC: return 1;
    case ZYDIS_MNEMONIC_DEC: return -1;
    default: return std::nullopt;
  }
}

using Code = std::span<const Decoded>;

// What `r` held before `code[from]`, from what it holds now: it may only have been moved on since.
std::optional<std::uint64_t> value_before(Code code, std::size_t from, ZydisRegister r, const user_regs_struct& now) {
  auto value = register_value(r, now);
  for (std::size_t i = from; value && i < code.size(); ++i) {
    if (!writes(code[i], r)) continue;
    const auto step = step_of(code[i], r);
    if (!step) return std::nullopt;
    value = *value - static_cast<std::uint64_t>(*step);
  }
  return value;
}

// The same, where another register still has a copy of it.
std::optional<std::uint64_t> copied_before(Code code, std::size_t from, ZydisRegister r, const user_regs_struct& now) {
  for (std::size_t i = from; i-- > 0;) {
    const Decoded& d = code[i];
    const auto operands = d.operands();
    const bool copies = d.instruction.mnemonic == ZYDIS_MNEMONIC_MOV && operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                        operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[1].reg.value == r;
    if (copies)
      if (const auto value = value_before(code, i + 1, operands[0].reg.value, now)) return value;
    if (leaves(d) || writes(d, r)) return std::nullopt;
  }
  return std::nullopt;
}

class Search {
 public:
  Search(const Target& target, Code code) : memory_(*target.memory), now_(*target.threads[0].registers), code_(code) {}

  // Where the value that `r` holds before `code[end]` was read from.
  std::optional<Address> source(std::size_t end, ZydisRegister r, int depth = 2) const {
    for (std::size_t i = end; i-- > 0;) {
      const Decoded& d = code_[i];
      if (leaves(d)) return std::nullopt;
      if (!writes(d, r) || d.instruction.mnemonic == ZYDIS_MNEMONIC_CDQE) continue;  // that one only spreads the sign
      if (!is_copy(d)) return std::nullopt;
      const auto& from = d.operands()[1];
      if (from.type == ZYDIS_OPERAND_TYPE_REGISTER) r = whole(from.reg.value);
      else return from.type == ZYDIS_OPERAND_TYPE_MEMORY ? address(i, from, depth) : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  // Where the load at `code[at]` read.
  std::optional<Address> address(std::size_t at, const ZydisDecodedOperand& o, int depth) const {
    if (o.mem.segment == ZYDIS_REGISTER_FS || o.mem.segment == ZYDIS_REGISTER_GS || o.mem.base == ZYDIS_REGISTER_RIP) return std::nullopt;
    std::uint64_t sum = static_cast<std::uint64_t>(o.mem.disp.value);
    for (const auto& [r, scale] : {std::pair(o.mem.base, 1u), std::pair(o.mem.index, static_cast<unsigned>(o.mem.scale))}) {
      if (r == ZYDIS_REGISTER_NONE) continue;
      const auto value = value_at(at, r, depth);
      if (!value) return std::nullopt;
      sum += *value * scale;
    }
    return Address{sum};
  }

  // From what it holds now, from a copy, or from the variable that it was itself loaded from.
  std::optional<std::uint64_t> value_at(std::size_t at, ZydisRegister r, int depth) const {
    if (const auto value = value_before(code_, at, r, now_)) return value;
    if (const auto value = copied_before(code_, at, r, now_)) return value;
    const auto variable = depth > 0 ? source(at, r, depth - 1) : std::nullopt;
    return variable ? memory_.read_value<std::uint64_t>(*variable) : std::nullopt;
  }

  const Memory& memory_;
  const user_regs_struct& now_;
  Code code_;
};

}  // namespace

std::optional<Address> loaded_from(const Target& target, const Frame& innermost, const std::string& register_name) {
  const auto wanted = named(register_name);
  if (wanted == ZYDIS_REGISTER_NONE || target.threads.empty() || !target.threads[0].registers) return std::nullopt;
  const auto code = code_before(target, innermost);
  return Search(target, code).source(code.size(), wanted);
}

}  // namespace sigwhy::native
