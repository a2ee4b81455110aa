// Memory operands with the addresses they come to, and the operands of divisions and jumps.
#include <fmt/format.h>

#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

std::optional<std::uint64_t> full_register(ZydisRegister name, const user_regs_struct& r) {
  const std::uint64_t in_encoding_order[] = {r.rax, r.rcx, r.rdx, r.rbx, r.rsp, r.rbp, r.rsi, r.rdi,
                                             r.r8,  r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
  if (name >= ZYDIS_REGISTER_RAX && name <= ZYDIS_REGISTER_R15) return in_encoding_order[name - ZYDIS_REGISTER_RAX];
  if (name == ZYDIS_REGISTER_RIP || name == ZYDIS_REGISTER_EIP) return r.rip;
  if (name == ZYDIS_REGISTER_RFLAGS) return r.eflags;
  return std::nullopt;
}

bool is_stack_push(const ZydisDecodedOperand& o) {
  return o.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && o.mem.base == ZYDIS_REGISTER_RSP &&
         (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);
}

// Many places at once: the lanes of a gather, the rows of a tile.
bool is_scattered(const ZydisDecodedOperand& o) { return o.mem.type == ZYDIS_MEMOP_TYPE_VSIB || o.size == 0; }

// Instructions whose memory operand is only written there.
bool touches_nothing(const Decoded& d) {
  const auto category = d.instruction.meta.category;
  return category == ZYDIS_CATEGORY_NOP || category == ZYDIS_CATEGORY_WIDENOP || category == ZYDIS_CATEGORY_PREFETCH ||
         category == ZYDIS_CATEGORY_PREFETCHWT1;
}

Access access_of(const ZydisDecodedOperand& o) {
  const bool reads = o.actions & ZYDIS_OPERAND_ACTION_MASK_READ, writes = o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
  return reads && writes ? Access::read_write : writes ? Access::write : Access::read;
}

std::string text_of(const MemoryOperand& o) {
  std::string inside = o.base.value_or("");
  if (o.index) inside += (inside.empty() ? "" : "+") + *o.index + (o.scale > 1 ? fmt::format("*{}", o.scale) : "");
  if (o.displacement != 0 || inside.empty()) {
    const auto amount = static_cast<std::uint64_t>(o.displacement);
    if (inside.empty()) inside = fmt::format("{:#x}", amount);
    else if (o.displacement < 0) inside += fmt::format("-{:#x}", 0 - amount);
    else inside += fmt::format("+{:#x}", amount);
  }
  return (o.segment ? *o.segment + ":" : "") + "[" + inside + "]";
}

void set_register(ZydisRegister name, const user_regs_struct& registers, std::optional<std::string>& text,
                  std::optional<Address>& value) {
  if (name == ZYDIS_REGISTER_NONE) return;
  text = ZydisRegisterGetString(name);
  if (const auto number = register_value(name, registers)) value = Address{*number};
}

std::optional<Address> address_of(const MemoryOperand& o, const Decoded& d, const user_regs_struct& registers) {
  if ((o.base && !o.base_value) || (o.index && !o.index_value)) return std::nullopt;
  auto sum = static_cast<std::uint64_t>(o.displacement);
  if (o.base_value) sum += o.base_value->value;
  if (o.base == "rip" || o.base == "eip") sum += d.instruction.length;
  if (o.index_value) sum += o.index_value->value * o.scale;
  if (d.instruction.address_width == 32) sum &= 0xffffffff;
  if (o.segment == "fs") sum += registers.fs_base;
  if (o.segment == "gs") sum += registers.gs_base;
  return Address{sum};
}

MemoryOperand described(const ZydisDecodedOperand& o, const Decoded& d, const user_regs_struct& registers) {
  MemoryOperand result;
  result.access = access_of(o);
  result.width_bytes = (is_scattered(o) ? o.element_size : o.size) / 8;
  result.scale = o.mem.scale ? o.mem.scale : 1;
  result.displacement = o.mem.disp.has_displacement ? o.mem.disp.value : 0;
  if (o.mem.segment == ZYDIS_REGISTER_FS || o.mem.segment == ZYDIS_REGISTER_GS)
    result.segment = ZydisRegisterGetString(o.mem.segment);
  set_register(o.mem.base, registers, result.base, result.base_value);
  auto index = o.mem.index;
  if (d.instruction.mnemonic == ZYDIS_MNEMONIC_XLAT) index = ZYDIS_REGISTER_AL;  // the decoder leaves it out
  set_register(index, registers, result.index, result.index_value);
  // push and call write below the pointer; pop computes its destination after the pointer has moved
  if (is_stack_push(o)) result.displacement -= static_cast<std::int64_t>(result.width_bytes);
  result.text = text_of(result);
  if (!is_scattered(o)) result.address = address_of(result, d, registers);
  const bool pop_destination = d.instruction.mnemonic == ZYDIS_MNEMONIC_POP && o.mem.base == ZYDIS_REGISTER_RSP &&
                               o.visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT;
  if (pop_destination && result.address) result.address = *result.address + result.width_bytes;
  return result;
}

std::optional<std::uint64_t> read_number(const Memory& memory, Address from, std::uint64_t width_bytes) {
  std::uint64_t value = 0;
  const auto part = std::as_writable_bytes(std::span(&value, 1)).first(std::min<std::uint64_t>(width_bytes, 8));
  if (memory.read(from, part) != part.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<std::uint64_t> register_value(ZydisRegister name, const user_regs_struct& registers) {
  const auto enclosing = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, name);
  const auto whole = enclosing == ZYDIS_REGISTER_NONE ? name : enclosing;
  auto value = full_register(whole, registers);
  if (!value) return std::nullopt;
  if (name >= ZYDIS_REGISTER_AH && name <= ZYDIS_REGISTER_BH) *value >>= 8;
  const auto bits = ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, name);
  if (bits < 64) *value &= (std::uint64_t{1} << bits) - 1;
  return value;
}

std::vector<MemoryOperand> memory_operands(const Decoded& decoded, const user_regs_struct& registers) {
  std::vector<MemoryOperand> result;
  if (touches_nothing(decoded)) return result;
  for (const auto& o : decoded.operands())
    if (o.type == ZYDIS_OPERAND_TYPE_MEMORY && o.mem.type != ZYDIS_MEMOP_TYPE_AGEN && o.actions != 0)
      result.push_back(described(o, decoded, registers));
  return result;
}

std::optional<Division> division_of(const Decoded& decoded, const user_regs_struct& registers, const Memory* memory) {
  const auto mnemonic = decoded.instruction.mnemonic;
  if (mnemonic != ZYDIS_MNEMONIC_DIV && mnemonic != ZYDIS_MNEMONIC_IDIV) return std::nullopt;
  const auto& divisor = decoded.operands()[0];
  Division result{.is_signed = mnemonic == ZYDIS_MNEMONIC_IDIV, .width_bytes = divisor.size / 8u};
  if (divisor.type == ZYDIS_OPERAND_TYPE_REGISTER) {
    result.divisor = register_value(divisor.reg.value, registers);
  } else if (const auto address = described(divisor, decoded, registers).address; address && memory) {
    result.divisor = read_number(*memory, *address, result.width_bytes);
  }
  const auto mask = result.width_bytes >= 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << result.width_bytes * 8) - 1;
  result.dividend_low = registers.rax & mask;
  result.dividend_high = (result.width_bytes == 1 ? registers.rax >> 8 : registers.rdx) & mask;
  return result;
}

std::optional<Address> branch_target(const Decoded& decoded, const user_regs_struct& registers, const Memory& memory) {
  const auto category = decoded.instruction.meta.category;
  const bool is_return = category == ZYDIS_CATEGORY_RET;
  if (!is_return && category != ZYDIS_CATEGORY_CALL && category != ZYDIS_CATEGORY_UNCOND_BR) return std::nullopt;
  for (const auto& o : decoded.operands()) {
    if (!is_return && o.visibility != ZYDIS_OPERAND_VISIBILITY_EXPLICIT) continue;
    std::optional<std::uint64_t> target;
    if (o.type == ZYDIS_OPERAND_TYPE_MEMORY) {
      if (const auto from = described(o, decoded, registers).address) target = read_number(memory, *from, 8);
    } else if (o.type == ZYDIS_OPERAND_TYPE_REGISTER && !is_return) {
      target = register_value(o.reg.value, registers);
    } else {
      continue;
    }
    return target ? std::optional(Address{*target}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
