// The instruction it died at, the registers, and what lay around the addresses that matter.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "evidence/names.h"
#include "report/details.h"
#include "report/places.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t neighbours = 2;

std::string operand_text(const MemoryOperand& o) {
  auto text = fmt::format("{}, {}", to_name(o.access), counted(o.width_bytes, "byte"));
  if (o.base) text += fmt::format(", {} = {}", *o.base, o.base_value ? hex_text(*o.base_value) : "?");
  if (o.index)
    text += fmt::format(", {} = {} times {}", *o.index, o.index_value ? hex_text(*o.index_value) : "?", o.scale);
  if (o.displacement) text += fmt::format(", plus {}", o.displacement);
  if (o.segment) text += ", segment " + *o.segment;
  if (o.address) text += ", address " + hex_text(*o.address);
  return text;
}

std::string division_text(const Division& d) {
  const auto value = [](const std::optional<std::uint64_t>& v) {
    return v ? fmt::format("{:#x}", *v) : std::string("?");
  };
  return fmt::format("{}, {}, divisor {}, dividend {}:{}", d.is_signed ? "signed" : "unsigned",
                     counted(d.width_bytes, "byte"), value(d.divisor), value(d.dividend_high), value(d.dividend_low));
}

void add_instruction(Section& section, const Instruction& i) {
  auto& rows = section.rows;
  rows.push_back({{"text", i.text}});
  rows.push_back({{"bytes", i.bytes}});
  if (!i.extension.empty()) rows.push_back({{"set", i.extension}});
  if (i.missing_features && !i.missing_features->empty())
    rows.push_back({{"missing", fmt::format("{}", fmt::join(*i.missing_features, " "))}});
  if (i.deliberate_trap) rows.push_back({{"trap", "meant to stop the program"}});
  for (const auto& operand : i.operands) rows.push_back({{operand.text, operand_text(operand)}});
  if (i.division) rows.push_back({{"division", division_text(*i.division)}});
}

Section instruction_section(const Fault& f) {
  Section section{"Instruction", {{{"at", hex_text(f.pc)}}}};
  if (f.instruction) add_instruction(section, *f.instruction);
  if (!f.instruction) section.rows.push_back({{"text", "no code could be read there"}});
  if (!f.address && !f.access) return section;
  auto text = f.access ? std::string(to_name(*f.access)) : std::string("access");
  if (f.width_bytes) text += ", " + counted(*f.width_bytes, "byte");
  if (f.address)
    text +=
        fmt::format(", address {}{}", hex_text(*f.address), f.address_computed ? " (computed from the operands)" : "");
  section.rows.push_back({{"used", text}});
  return section;
}

// In the order in which everybody lists them; others follow by name.
constexpr std::array usual_order = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8",
                                    "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};

Section register_section(const Thread& thread) {
  Section section{"Registers", {}};
  constexpr std::size_t per_row = 2;
  std::size_t column = per_row;
  const auto add = [&](const std::string& name, Address value) {
    if (column == per_row) section.rows.emplace_back(), column = 0;
    section.rows.back().cells.push_back(name);
    section.rows.back().cells.push_back(fmt::format("{:#018x}", value.value));
    ++column;
  };
  for (const char* name : usual_order)
    if (const auto found = thread.registers.find(name); found != thread.registers.end()) add(name, found->second);
  for (const auto& [name, value] : thread.registers)
    if (std::ranges::find(usual_order, name) == usual_order.end()) add(name, value);
  return section;
}

std::string region_text(const Snapshot& s, std::uint64_t index) {
  if (index >= s.regions.size()) return "a mapping that is not in the list";
  const auto& r = s.regions[index];
  return fmt::format("{} ({})", r.path.empty() ? "unnamed" : r.path, to_name(r.kind));
}

std::string pointer_text(const Snapshot& s, const Pointer& p) {
  auto text = p.region ? "in " + region_text(s, *p.region) : std::string("mapped nowhere");
  if (p.behind)
    text += fmt::format("; {} behind the end of {}", size_text(p.behind->bytes), region_text(s, p.behind->region));
  if (p.before) text += fmt::format("; {} before {}", size_text(p.before->bytes), region_text(s, p.before->region));
  if (p.block)
    text += fmt::format("; block {} of {}, {}{}", hex_text(p.block->start), counted(p.block->bytes, "byte"),
                        to_name(p.block->state), p.block->detail.empty() ? "" : " (" + p.block->detail + ")");
  for (const auto& look : p.looks_like) text += "; looks like " + look;
  return text;
}

Section pointer_section(const Snapshot& s) {
  Section section{"Pointers", {}};
  for (const auto& p : s.pointers) section.rows.push_back({{p.role, hex_text(p.value), pointer_text(s, p)}});
  return section;
}

// Regions that a pointer of the case lies in or next to, and their neighbours.
std::set<std::size_t> regions_nearby(const Snapshot& s) {
  std::set<std::size_t> nearby;
  const auto add = [&](std::size_t index) {
    for (auto i = index - std::min(index, neighbours); i <= index + neighbours && i < s.regions.size(); ++i)
      nearby.insert(i);
  };
  for (const auto& p : s.pointers) {
    if (p.region) add(*p.region);
    if (p.behind) add(p.behind->region);
    if (p.before) add(p.before->region);
  }
  if (s.fault && s.fault->address)
    for (std::size_t i = 0; i < s.regions.size(); ++i)
      if (s.regions[i].end > *s.fault->address) return add(i), nearby;
  return nearby;
}

Section region_section(const Snapshot& s) {
  Section section{"Address space around it", {}};
  std::size_t next = 0;
  for (const auto index : regions_nearby(s)) {
    const auto& r = s.regions[index];
    if (next != 0 && index != next) section.rows.push_back({{"..."}});
    next = index + 1;
    auto note = fmt::format("{}{}{}", r.path, r.path.empty() ? "" : ", ", to_name(r.kind));
    if (r.file_bytes) note += fmt::format(", file has {}", counted(*r.file_bytes, "byte"));
    if (r.file_system)
      note +=
          fmt::format(", {} free of {}", size_text(r.file_system->free_bytes), size_text(r.file_system->total_bytes));
    section.rows.push_back({{fmt::format("{:x}-{:x}", r.start.value, r.end.value), r.permissions, note}});
  }
  return section;
}

}  // namespace

std::vector<Section> fault_details(const Snapshot& s) {
  std::vector<Section> sections;
  if (s.fault) sections.push_back(instruction_section(*s.fault));
  if (const Thread* thread = dying_thread(s)) sections.push_back(register_section(*thread));
  sections.push_back(pointer_section(s));
  sections.push_back(region_section(s));
  return sections;
}

}  // namespace sigwhy::report
