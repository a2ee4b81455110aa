#include "native/symbols_called.h"

#include <elf.h>

#include <algorithm>
#include <span>
#include <vector>

#include "native/modules.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t most_relocation_bytes = 64 << 20;
constexpr std::size_t relocations_per_chunk = 16384;

Address moved(Address from, std::int32_t distance) {
  return {from.value + static_cast<std::uint64_t>(std::int64_t{distance})};
}

constexpr int most_jumps = 4;

// Where a jump table entry jumps through: [endbr64] [bnd] jmp [rip + distance]. A function may do nothing but jump to
// one itself, as `void release(void* p) { free(p); }` does.
std::optional<Address> slot_of_entry(const Memory& code, Address entry, int jumps = 0) {
  if (code.read_value<std::uint32_t>(entry) == 0xfa1e0ff3) entry = entry + 4;
  if (code.read_value<std::uint8_t>(entry) == 0xe9 && jumps < most_jumps) {
    const auto distance = code.read_value<std::int32_t>(entry + 1);
    return distance ? slot_of_entry(code, moved(entry + 5, *distance), jumps + 1) : std::nullopt;
  }
  if (code.read_value<std::uint8_t>(entry) == 0xf2) entry = entry + 1;
  if (code.read_value<std::uint16_t>(entry) != 0x25ff) return std::nullopt;
  const auto distance = code.read_value<std::int32_t>(entry + 2);
  return distance ? std::optional(moved(entry + 6, *distance)) : std::nullopt;
}

// The slot that the call before `back` went through, directly or by way of a jump table.
std::optional<Address> slot_of_call(const Memory& code, Address back) {
  const auto distance = code.read_value<std::int32_t>(back - 4);
  if (!distance) return std::nullopt;
  if (code.read_value<std::uint16_t>(back - 6) == 0x15ff) return moved(back, *distance);
  if (code.read_value<std::uint8_t>(back - 5) == 0xe8) return slot_of_entry(code, moved(back, *distance));
  return std::nullopt;
}

// The symbol that the loader put into the slot.
std::optional<std::uint64_t> symbol_in(const ElfFile& elf, const ElfSection& table, std::uint64_t slot) {
  std::vector<Elf64_Rela> chunk(relocations_per_chunk);
  const auto size = std::min(table.bytes, most_relocation_bytes);
  for (std::uint64_t at = 0; at < size;) {
    const auto most = std::min<std::uint64_t>(size - at, chunk.size() * sizeof(Elf64_Rela));
    const auto got = elf.read(table.offset + at, std::as_writable_bytes(std::span(chunk)).first(most));
    for (const auto& r : std::span(chunk).first(got / sizeof(Elf64_Rela)))
      if (r.r_offset == slot && ELF64_R_SYM(r.r_info) != 0) return ELF64_R_SYM(r.r_info);
    if (got < most) break;
    at += most;
  }
  return std::nullopt;
}

std::optional<std::string> name_of(const ElfFile& elf, const ElfSection& symbols, std::uint64_t index) {
  const auto* strings = elf.section(symbols.link);
  Elf64_Sym symbol;
  if (!strings || index >= symbols.bytes / sizeof symbol ||
      elf.read(symbols.offset + index * sizeof symbol, std::as_writable_bytes(std::span(&symbol, 1))) != sizeof symbol)
    return std::nullopt;
  auto name = elf.read_string(*strings, symbol.st_name);
  return name.empty() ? std::nullopt : std::optional(std::move(name));
}

}  // namespace

std::optional<std::string> called_as(const Target& target, const Memory& code, const Module& module, const ElfFile& elf,
                                     Address return_address) {
  const auto slot = slot_of_call(code, return_address);
  const auto address = slot ? address_in_file(target, module, elf, *slot) : std::nullopt;
  if (!address) return std::nullopt;
  for (const auto& table : elf.sections()) {
    if (table.type != SHT_RELA) continue;
    const auto* symbols = elf.section(table.link);
    const auto index = symbols && symbols->type == SHT_DYNSYM ? symbol_in(elf, table, *address) : std::nullopt;
    if (index) return name_of(elf, *symbols, *index);
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
