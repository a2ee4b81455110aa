// type_info objects in foreign memory: { vtable, name, ... }. A class with one plain base follows that with the
// base's type_info; one with several or virtual bases with flags, a count and pairs of base and offset.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "target/memory.h"

namespace sigwhy::native {

struct TypeBase {
  std::string mangled;
  bool at_start = false;  // it begins where the object begins
};

struct TypeInfo {
  std::string mangled;
  std::vector<TypeBase> bases;  // all of them, nearest first

  bool is_or_starts_with(std::string_view name) const;
  bool derives_from(std::string_view name) const;
};

// Absent where the bytes are no type_info: its name must be one that demangles.
std::optional<TypeInfo> type_info_at(const Memory& memory, Address at);

std::optional<std::string> demangled_type(const std::string& mangled);

}  // namespace sigwhy::native
