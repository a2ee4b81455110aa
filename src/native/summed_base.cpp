#include "native/summed_base.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "native/file_backed_memory.h"
#include "native/instruction_decoder.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t looked_back_bytes = 48, least_lead_bytes = 16;
constexpr std::size_t looked_at = 3;  // instructions before the fault

struct Way {
  std::vector<Decoded> last;
  std::size_t count = 0;
};

// The last instructions, by decoding on from one start; the key is where they begin.
std::optional<std::pair<std::vector<std::size_t>, std::vector<Decoded>>> decoded_from(std::span<const std::byte> code, std::size_t from) {
  std::vector<std::size_t> begins;
  std::vector<Decoded> way;
  for (std::size_t at = from; at < code.size();) {
    const auto d = decode(code.subspan(at));
    if (!d) return std::nullopt;
    begins.push_back(at);
    way.push_back(*d);
    at += d->instruction.length;
    if (at > code.size()) return std::nullopt;
  }
  if (way.size() < looked_at) return std::nullopt;
  return std::pair(std::vector(begins.end() - looked_at, begins.end()), std::vector(way.end() - looked_at, way.end()));
}

// Where instructions begin before an address is not known; but from nearly every wrong start the decoder falls into step
// after a few. So most starts must agree on the last ones.
std::vector<Decoded> code_before(const Target& target, Address pc) {
  constexpr std::size_t least_ways = 4;
  std::array<std::byte, looked_back_bytes> code;
  if (FileBackedMemory(target).read(pc - looked_back_bytes, code) != code.size()) return {};
  std::map<std::vector<std::size_t>, Way> ways;
  std::size_t all = 0;
  for (std::size_t from = 0; from + least_lead_bytes <= code.size(); ++from)
    if (auto found = decoded_from(code, from)) {
      Way& way = ways[found->first];
      way.last = std::move(found->second);
      ++way.count;
      ++all;
    }
  const auto most = std::ranges::max_element(ways, {}, [](const auto& way) { return way.second.count; });
  return all >= least_ways && most->second.count * 10 >= all * 7 ? most->second.last : std::vector<Decoded>();
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
    const bool sets = !d.operands().empty() && d.operands()[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
    const auto sum = sets ? d.operands()[0].reg.value : ZYDIS_REGISTER_NONE;
    if (!sets || *operand->base != ZydisRegisterGetString(sum) || !writes(d, sum)) continue;
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
