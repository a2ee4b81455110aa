#include "native/value_source.h"

#include <algorithm>
#include <array>
#include <vector>

#include "native/file_backed_memory.h"
#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t most_code_bytes = 16u << 10;
constexpr int sources_of_sources = 2;

ZydisRegister named(const std::string& name) {
  for (int r = ZYDIS_REGISTER_RAX; r <= ZYDIS_REGISTER_R15; ++r)
    if (name == ZydisRegisterGetString(static_cast<ZydisRegister>(r))) return static_cast<ZydisRegister>(r);
  return ZYDIS_REGISTER_NONE;
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

// The instructions of a function from its start up to `end`; empty where they do not meet it.
std::vector<Decoded> code_between(const Target& target, Address start, Address end) {
  const auto size = end.value - start.value;
  if (end <= start || size > most_code_bytes) return {};
  const FileBackedMemory memory(target);
  std::vector<std::byte> code(size);
  if (memory.read(start, code) != size) return {};
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

// The registers behind the last instruction of the code: all of them where the program stopped there, else those that
// a function must give back as it got them.
struct Registers {
  user_regs_struct values;
  bool only_kept = false;

  std::optional<std::uint64_t> value(ZydisRegister r) const {
    constexpr std::array kept = {ZYDIS_REGISTER_RBX, ZYDIS_REGISTER_RBP, ZYDIS_REGISTER_RSP, ZYDIS_REGISTER_R12,
                                 ZYDIS_REGISTER_R13, ZYDIS_REGISTER_R14, ZYDIS_REGISTER_R15};
    if (only_kept && std::ranges::find(kept, whole(r)) == kept.end()) return std::nullopt;
    return register_value(r, values);
  }
};

// What `r` held before `code[from]`, from what it holds now: it may only have been moved on since.
std::optional<std::uint64_t> value_before(Code code, std::size_t from, ZydisRegister r, const Registers& now) {
  auto value = now.value(r);
  for (std::size_t i = from; value && i < code.size(); ++i) {
    if (!writes(code[i], r)) continue;
    const auto step = step_of(code[i], r);
    if (!step) return std::nullopt;
    value = *value - static_cast<std::uint64_t>(*step);
  }
  return value;
}

// The same, where another register still has a copy of it.
std::optional<std::uint64_t> copied_before(Code code, std::size_t from, ZydisRegister r, const Registers& now) {
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
  Search(const Target& target, Code code, Address start, const Registers& now)
      : memory_(*target.memory), now_(now), code_(code), start_(start) {}

  // Where the value that `r` holds before `code[end]` was read from.
  // `moves`: it may have been moved on since, to a member or the next element.
  std::optional<Address> source(std::size_t end, ZydisRegister r, int depth = sources_of_sources, bool moves = false) const {
    for (std::size_t i = end; i-- > 0;) {
      const Decoded& d = code_[i];
      if (leaves(d)) return std::nullopt;
      if (!writes(d, r) || d.instruction.mnemonic == ZYDIS_MNEMONIC_CDQE) continue;  // that one only spreads the sign
      if (moves && step_of(d, r)) continue;
      if (!is_copy(d)) return std::nullopt;
      const auto& from = d.operands()[1];
      if (from.type == ZYDIS_OPERAND_TYPE_REGISTER) r = whole(from.reg.value);
      else return from.type == ZYDIS_OPERAND_TYPE_MEMORY ? address(i, from, depth) : std::nullopt;
    }
    return std::nullopt;
  }

  // What `r` holds before `code[end]`, where it was set by a copy, a load or a sum of registers that are known.
  std::optional<std::uint64_t> value(std::size_t end, ZydisRegister r) const {
    std::uint64_t moved = 0;
    for (std::size_t i = end; i-- > 0 && !leaves(code_[i]);) {
      const Decoded& d = code_[i];
      if (!writes(d, r)) continue;
      if (const auto step = step_of(d, r)) {
        moved += static_cast<std::uint64_t>(*step);
        continue;
      }
      const auto set = set_to(i);
      return set ? std::optional(*set + moved) : std::nullopt;
    }
    return std::nullopt;
  }

 private:
  // What the instruction at `code[at]` puts into its first operand.
  std::optional<std::uint64_t> set_to(std::size_t at) const {
    const Decoded& d = code_[at];
    const auto& from = d.operands()[1];
    const bool moves = d.instruction.mnemonic == ZYDIS_MNEMONIC_MOV && d.instruction.operand_width == 64;
    const bool is_static = from.type == ZYDIS_OPERAND_TYPE_MEMORY && from.mem.base == ZYDIS_REGISTER_RIP;
    if (d.instruction.mnemonic == ZYDIS_MNEMONIC_LEA && is_static)
      return behind(at).value + static_cast<std::uint64_t>(from.mem.disp.value);
    if (d.instruction.mnemonic == ZYDIS_MNEMONIC_LEA) return as_number(address(at, from, sources_of_sources));
    if (moves && from.type == ZYDIS_OPERAND_TYPE_REGISTER) return value_at(at, from.reg.value, sources_of_sources);
    if (!moves || from.type != ZYDIS_OPERAND_TYPE_MEMORY) return std::nullopt;
    const auto place = address(at, from, sources_of_sources);
    return place ? memory_.read_value<std::uint64_t>(*place) : std::nullopt;
  }

  Address behind(std::size_t at) const {
    Address end = start_;
    for (const auto& d : code_.first(at + 1)) end = end + d.instruction.length;
    return end;
  }

  static std::optional<std::uint64_t> as_number(std::optional<Address> a) {
    return a ? std::optional(a->value) : std::nullopt;
  }

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
  const Registers& now_;
  Code code_;
  Address start_;
};

user_regs_struct kept_registers(const UnwindRegisters& r) {
  user_regs_struct out{};
  out.rbx = r.values[3];
  out.rbp = r.bp().value;
  out.rsp = r.sp().value;
  out.r12 = r.values[12];
  out.r13 = r.values[13];
  out.r14 = r.values[14];
  out.r15 = r.values[15];
  return out;
}

}  // namespace

std::optional<Address> loaded_from(const Target& target, const Frame& innermost, const std::string& register_name) {
  const auto wanted = named(register_name);
  if (wanted == ZYDIS_REGISTER_NONE || target.threads.empty() || !target.threads[0].registers) return std::nullopt;
  const auto start = innermost.pc - static_cast<std::int64_t>(innermost.symbol_offset.value_or(0));
  const auto code = code_between(target, start, innermost.pc);
  const Registers now{*target.threads[0].registers};
  return Search(target, code, start, now).source(code.size(), wanted, sources_of_sources, true);
}

std::optional<std::uint64_t> first_argument(const Target& target, const Frame& caller, const UnwindRegisters& there) {
  if (!caller.symbol_offset) return std::nullopt;
  const Address start = caller.pc - static_cast<std::int64_t>(*caller.symbol_offset);
  const auto code = code_between(target, start, there.pc());
  if (code.empty() || code.back().instruction.meta.category != ZYDIS_CATEGORY_CALL) return std::nullopt;
  const Registers now{kept_registers(there), true};
  return Search(target, Code(code).first(code.size() - 1), start, now).value(code.size() - 1, ZYDIS_REGISTER_RDI);
}

}  // namespace sigwhy::native
