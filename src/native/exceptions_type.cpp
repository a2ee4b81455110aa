#include "native/exceptions_type.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace sigwhy::native {

namespace {

constexpr int most_depth = 12;
constexpr std::size_t most_bases = 32;
constexpr std::uint32_t most_direct_bases = 8;
constexpr std::size_t most_name_bytes = 1024;

std::optional<std::string> name_at(const Memory& memory, Address type) {
  const auto words = memory.read_value<std::array<std::uint64_t, 2>>(type);
  if (!words || (*words)[0] == 0 || type.value % 8 != 0) return std::nullopt;
  auto name = memory.read_string({(*words)[1]}, most_name_bytes);
  // A leading '*' marks names that are compared by address.
  if (name && name->starts_with('*')) name->erase(0, 1);
  if (!name || name->empty() || !demangled_type(*name)) return std::nullopt;
  return name;
}

// What kind of type_info this is, as its own vtable's type_info says; empty where that was not copied.
std::string kind_of(const Memory& memory, Address type) {
  const auto vtable = memory.read_value<std::uint64_t>(type);
  const auto kind = vtable ? memory.read_value<std::uint64_t>(Address{*vtable} - 8) : std::nullopt;
  return kind ? name_at(memory, {*kind}).value_or("") : "";
}

struct Walk {
  const Memory& memory;
  std::vector<TypeBase> bases;
};

void add_bases(Walk& walk, Address type, bool at_start, int depth);

void add_base(Walk& walk, Address base, bool at_start, int depth) {
  const auto name = name_at(walk.memory, base);
  if (!name || walk.bases.size() >= most_bases) return;
  walk.bases.push_back({*name, at_start});
  add_bases(walk, base, at_start, depth + 1);
}

void add_several(Walk& walk, Address type, bool at_start, int depth) {
  const auto count = walk.memory.read_value<std::uint32_t>(type + 20).value_or(0);
  if (count == 0 || count > most_direct_bases) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto base = walk.memory.read_value<std::array<std::uint64_t, 2>>(type + 24 + 16 * i);
    if (!base) return;
    const bool is_virtual = ((*base)[1] & 1) != 0, at_zero = (*base)[1] >> 8 == 0;
    add_base(walk, {(*base)[0]}, at_start && !is_virtual && at_zero, depth);
  }
}

void add_bases(Walk& walk, Address type, bool at_start, int depth) {
  if (depth > most_depth) return;
  const auto kind = kind_of(walk.memory, type);
  const auto third = walk.memory.read_value<std::uint64_t>(type + 16);
  if (!third) return;
  const bool may_be_either = kind.empty();
  if (kind.ends_with("20__si_class_type_infoE") || (may_be_either && name_at(walk.memory, {*third})))
    add_base(walk, {*third}, at_start, depth);
  else if (kind.ends_with("21__vmi_class_type_infoE") || (may_be_either && (*third & 0xffffffff) < 4))
    add_several(walk, type, at_start, depth);
}

}  // namespace

bool TypeInfo::is_or_starts_with(std::string_view name) const {
  return mangled == name ||
         std::ranges::any_of(bases, [&](const auto& base) { return base.at_start && base.mangled == name; });
}

bool TypeInfo::derives_from(std::string_view name) const {
  return mangled == name || std::ranges::any_of(bases, [&](const auto& base) { return base.mangled == name; });
}

std::optional<TypeInfo> type_info_at(const Memory& memory, Address at) {
  auto name = name_at(memory, at);
  if (!name) return std::nullopt;
  Walk walk{memory, {}};
  add_bases(walk, at, true, 0);
  return TypeInfo{std::move(*name), std::move(walk.bases)};
}

std::optional<std::string> demangled_type(const std::string& mangled) {
  const auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           c == '$';
  };
  if (!std::ranges::all_of(mangled, is_part)) return std::nullopt;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return std::nullopt;
  return std::string(text.get());
}

}  // namespace sigwhy::native
