#include "native/lines_dwarf.h"

#include <dwarf.h>

#include <algorithm>
#include <cstdlib>
#include <span>

#include "native/symbols.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_inlined = 64;
constexpr std::size_t most_unit_ranges = 1 << 20;

struct Free {
  void operator()(void* p) const { std::free(p); }
};
using Scopes = std::unique_ptr<Dwarf_Die[], Free>;

std::optional<Source> source_at(Dwarf_Die& unit, std::uint64_t address) {
  auto* line = dwarf_getsrc_die(&unit, address);
  const char* file = line ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
  Source source;
  int column = 0;
  // line 0 marks code that belongs to no line
  if (!file || dwarf_lineno(line, &source.line) != 0 || source.line <= 0) return std::nullopt;
  source.file = file;
  if (dwarf_linecol(line, &column) == 0 && column > 0) source.column = column;
  return source;
}

std::optional<Dwarf_Word> number(Dwarf_Die& die, unsigned attribute_name) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (!dwarf_attr(&die, attribute_name, &attribute) || dwarf_formudata(&attribute, &value) != 0) return std::nullopt;
  return value;
}

// Where an inlined function was called.
std::optional<Source> call_site(Dwarf_Die& unit, Dwarf_Die& inlined) {
  const auto file = number(inlined, DW_AT_call_file), line = number(inlined, DW_AT_call_line);
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  if (!file || !line || *line == 0 || dwarf_getsrcfiles(&unit, &files, &count) != 0 || *file >= count)
    return std::nullopt;
  const char* name = dwarf_filesrc(files, *file, nullptr, nullptr);
  if (!name) return std::nullopt;
  Source source{name, static_cast<int>(*line), std::nullopt};
  if (const auto column = number(inlined, DW_AT_call_column); column && *column > 0)
    source.column = static_cast<int>(*column);
  return source;
}

std::string name_of(Dwarf_Die& die) {
  Dwarf_Attribute attribute;
  for (const unsigned name : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name})
    if (dwarf_attr_integrate(&die, name, &attribute))
      if (const char* text = dwarf_formstring(&attribute)) return demangled(text);
  return {};
}

// The blocks around an address as the compiler nested them, innermost first.
std::span<Dwarf_Die> nesting(Dwarf_Die& unit, std::uint64_t address, Scopes& owner) {
  Dwarf_Die* scopes = nullptr;
  const int found = dwarf_getscopes(&unit, address, &scopes);
  if (found <= 0) return {};
  const Scopes innermost(scopes);
  Dwarf_Die* chain = nullptr;
  const int count = dwarf_getscopes_die(&innermost[0], &chain);
  if (count <= 0) return {};
  owner.reset(chain);
  return {chain, static_cast<std::size_t>(count)};
}

}  // namespace

std::optional<DebugInfo> DebugInfo::open(OwnedFd fd) {
  elf_version(EV_CURRENT);
  DebugInfo info;
  info.fd_ = std::move(fd);
  info.elf_.reset(elf_begin(info.fd_.get(), ELF_C_READ_MMAP, nullptr));
  if (!info.elf_) return std::nullopt;
  info.dwarf_.reset(dwarf_begin_elf(info.elf_.get(), DWARF_C_READ, nullptr));
  if (!info.dwarf_) return std::nullopt;
  return info;
}

void DebugInfo::index_units() {
  units_.emplace();
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die{}, skeleton{};
  while (dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, nullptr, &die, &skeleton) == 0) {
    Dwarf_Addr base = 0, begin = 0, end = 0;
    for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;) {
      units_->push_back({begin, end, die});
      if (units_->size() >= most_unit_ranges) return;
    }
  }
  std::ranges::sort(*units_, {}, &UnitRange::begin);
}

bool DebugInfo::unit_at(std::uint64_t address, Dwarf_Die& unit) {
  if (dwarf_addrdie(dwarf_.get(), address, &unit)) return true;
  if (!units_) index_units();
  const auto after = std::ranges::upper_bound(*units_, address, {}, &UnitRange::begin);
  if (after == units_->begin() || std::prev(after)->end <= address) return false;
  unit = std::prev(after)->unit;
  return true;
}

std::optional<LineAnswer> DebugInfo::at(std::uint64_t address) {
  Dwarf_Die unit{};
  if (!unit_at(address, unit)) return std::nullopt;
  LineAnswer answer;
  answer.source = source_at(unit, address);
  Scopes owner;
  for (auto& die : nesting(unit, address, owner)) {
    const auto tag = dwarf_tag(&die);
    if (tag == DW_TAG_subprogram) {
      if (auto name = name_of(die); !name.empty()) answer.function = std::move(name);
      break;
    }
    if (tag != DW_TAG_inlined_subroutine || answer.inlined.size() >= most_inlined) continue;
    answer.inlined.push_back({name_of(die), answer.source});
    answer.source = call_site(unit, die);
  }
  if (!answer.source && answer.inlined.empty() && !answer.function) return std::nullopt;
  return answer;
}

}  // namespace sigwhy::native
