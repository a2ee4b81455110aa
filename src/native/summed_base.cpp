#include "native/summed_base.h"

#include <array>
#include <vector>

#include "native/file_backed_memory.h"
#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t looked_back_bytes = 48, least_lead_bytes = 16;
constexpr std::size_t looked_at = 3;  // instructions before the fault

// Where instructions begin before an address is not known; but from nearly every wrong start the decoder falls into step
// after a few. So most starts must agree on the last ones.
std::vector<Decoded> code_before(const Target& target, Address pc) {
  std::array<std::byte, looked_back_bytes> code;
  if (FileBackedMemory(target).read(pc - looked_back_bytes, code) != code.size()) return {};
  std::vector<Decoded> agreed;
  std::vector<std::vector<std::size_t>> starts;  // of the last instructions, by each way
  for (std::size_t from = 0; from + least_lead_bytes <= code.size(); ++from) {
    std::vector<Decoded> way;
    std::vector<std::size_t> at;
    auto rest = std::span<const std::byte>(code).subspan(from);
    while (!rest.empty()) {
      const auto d = decode(rest);
      if (!d || d->instruction.length > rest.size()) break;
      at.push_back(code.size() - rest.size());
      way.push_back(*d);
      rest = rest.subspan(d->instruction.length);
    }
    if (!rest.empty() || way.size() < looked_at) continue;
    starts.emplace_back(at.end() - looked_at, at.end());
    if (agreed.empty() || starts.back() == starts.front()) agreed.assign(way.end() - looked_at, way.end());
  }
  std::size_t same = 0;
  for (const auto& way : starts) same += way == starts.front();
  return same * 10 >= starts.size() * 7 && starts.size() >= 4 ? agreed : std::vector<Decoded>();
}

ZydisRegister whole(ZydisRegister r) { return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, r); }

bool writes(const Decoded& d, ZydisRegister r) {
  for (const auto& o : d.operands())
    if (o.type == ZYDIS_OPERAND_TYPE_REGISTER && (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) && whole(o.reg.value) == r) return true;
  return false;
}

// The other part of a sum that is put into `sum`: the base of `lea sum, [base+sum*4+16]`, or `add sum, base`.
std::optional<ZydisRegister> other_part(const Decoded& d, ZydisRegister sum) {
  const auto operands = d.operands();
  if (operands.size() < 2 || operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER || operands[0].reg.value != sum) return std::nullopt;
  const auto& from = operands[1];
  if (d.instruction.mnemonic == ZYDIS_MNEMONIC_ADD && from.type == ZYDIS_OPERAND_TYPE_REGISTER) return from.reg.value;
  const bool scaled = d.instruction.mnemonic == ZYDIS_MNEMONIC_LEA && from.mem.index == sum && from.mem.base != sum;
  return scaled && from.mem.base != ZYDIS_REGISTER_NONE ? std::optional(from.mem.base) : std::nullopt;
}

}  // namespace

std::optional<SummedBase> summed_base(const Target& target, const Fault& fault) {
  const auto* operand = fault.instruction && fault.operand && *fault.operand < fault.instruction->operands.size()
                            ? &fault.instruction->operands[*fault.operand]
                            : nullptr;
  if (!operand || !operand->base || operand->index || target.threads.empty() || !target.threads[0].registers) return std::nullopt;
  const auto code = code_before(target, fault.pc);
  for (std::size_t i = code.size(); i-- > 0;) {
    const Decoded& d = code[i];
    const auto sum = d.operands().empty() ? ZYDIS_REGISTER_NONE : d.operands()[0].reg.value;
    if (sum == ZYDIS_REGISTER_NONE || *operand->base != ZydisRegisterGetString(sum)) continue;
    const auto base = other_part(d, sum);
    if (!base || *base == sum) return std::nullopt;
    for (std::size_t later = i + 1; later < code.size(); ++later)
      if (writes(code[later], *base) || writes(code[later], sum)) return std::nullopt;
    const auto value = register_value(*base, *target.threads[0].registers);
    return value ? std::optional(SummedBase{ZydisRegisterGetString(*base), {*value}}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
