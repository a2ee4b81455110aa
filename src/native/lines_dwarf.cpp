#include "native/lines_dwarf.h"

#include <dwarf.h>

#include <algorithm>
#include <ranges>

#include "native/symbols.h"

namespace sigwhy::native {

namespace {

constexpr int most_nesting = 64;
constexpr std::size_t most_ranges = 1 << 20;

// Compilers name files relative to the folder they were started in.
std::string absolute(const char* file, Dwarf_Die& unit) {
  Dwarf_Attribute attribute;
  const char* folder =
      *file == '/' || !dwarf_attr(&unit, DW_AT_comp_dir, &attribute) ? nullptr : dwarf_formstring(&attribute);
  return folder ? std::string(folder) + "/" + file : file;
}

std::optional<Source> source_at(Dwarf_Die& unit, std::uint64_t address) {
  auto* line = dwarf_getsrc_die(&unit, address);
  const char* file = line ? dwarf_linesrc(line, nullptr, nullptr) : nullptr;
  Source source;
  int column = 0;
  // line 0 marks code that belongs to no line
  if (!file || dwarf_lineno(line, &source.line) != 0 || source.line <= 0) return std::nullopt;
  source.file = absolute(file, unit);
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
  Source source{absolute(name, unit), static_cast<int>(*line), std::nullopt};
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

// Blocks may lack addresses of their own; then their contents have them.
bool may_contain(Dwarf_Die& block, std::uint64_t address) {
  const int has = dwarf_haspc(&block, address);
  return has > 0 || (dwarf_tag(&block) == DW_TAG_lexical_block && !dwarf_hasattr(&block, DW_AT_low_pc) &&
                     !dwarf_hasattr(&block, DW_AT_ranges));
}

// Inlined calls around an address inside `parent`, outermost first.
void add_inlined(Dwarf_Die parent, std::uint64_t address, std::vector<Dwarf_Die>& found, int depth) {
  Dwarf_Die child;
  if (depth > most_nesting || dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    if (!may_contain(child, address)) continue;
    const auto before = found.size();
    if (tag == DW_TAG_inlined_subroutine) found.push_back(child);
    add_inlined(child, address, found, depth + 1);
    if (found.size() > before) return;
  } while (dwarf_siblingof(&child, &child) == 0);
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

void DebugInfo::add_ranges(Dwarf_Die die, Index& index) {
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0 && index.size() < most_ranges;)
    if (begin < end) index.push_back({begin, end, die});
}

void DebugInfo::index_units() {
  units_.emplace();
  Dwarf_CU* unit = nullptr;
  Dwarf_Die die{}, skeleton{};
  while (dwarf_get_units(dwarf_.get(), unit, &unit, nullptr, nullptr, &die, &skeleton) == 0) add_ranges(die, *units_);
  std::ranges::sort(*units_, {}, &Range::begin);
}

// Functions with code stand directly in their unit, or in a namespace or module; types hold declarations only.
void DebugInfo::add_functions(Dwarf_Die parent, Index& index, int depth) {
  Dwarf_Die child;
  if (depth > most_nesting || dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) add_ranges(child, index);
    else if (tag == DW_TAG_namespace || tag == DW_TAG_module) add_functions(child, index, depth + 1);
  } while (dwarf_siblingof(&child, &child) == 0 && index.size() < most_ranges);
}

std::optional<Dwarf_Die> DebugInfo::find(const Index& index, std::uint64_t address) {
  const auto after = std::ranges::upper_bound(index, address, {}, &Range::begin);
  if (after == index.begin() || std::prev(after)->end <= address) return std::nullopt;
  return std::prev(after)->die;
}

std::optional<Dwarf_Die> DebugInfo::unit_at(std::uint64_t address) {
  Dwarf_Die unit{};
  if (dwarf_addrdie(dwarf_.get(), address, &unit)) return unit;
  if (!units_) index_units();
  return find(*units_, address);
}

std::optional<Dwarf_Die> DebugInfo::function_at(Dwarf_Die unit, std::uint64_t address) {
  const auto [entry, is_new] = functions_.try_emplace(dwarf_dieoffset(&unit));
  if (is_new) {
    add_functions(unit, entry->second, 0);
    std::ranges::sort(entry->second, {}, &Range::begin);
  }
  return find(entry->second, address);
}

std::optional<LineAnswer> DebugInfo::at(std::uint64_t address) {
  auto unit = unit_at(address);
  if (!unit) return std::nullopt;
  LineAnswer answer;
  answer.source = source_at(*unit, address);
  if (auto function = function_at(*unit, address)) {
    if (auto name = name_of(*function); !name.empty()) answer.function = std::move(name);
    std::vector<Dwarf_Die> inlined;
    add_inlined(*function, address, inlined, 0);
    for (auto& die : std::views::reverse(inlined)) {
      answer.inlined.push_back({name_of(die), answer.source});
      answer.source = call_site(*unit, die);
    }
  }
  if (!answer.source && answer.inlined.empty() && !answer.function) return std::nullopt;
  return answer;
}

}  // namespace sigwhy::native
