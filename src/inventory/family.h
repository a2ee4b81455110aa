// A family of libraries of which one process should hold one: how a copy is recognised in a loaded file, also where it
// was linked statically into a file of another name, and which symbols are its interface. One file per family in
// families/; the file name is its id.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "inventory/loaded_file.h"

namespace sigwhy::inventory {

struct Copy {
  std::string name;  // "libiomp5 (Intel)"
  // What of the family it is; two files that are the same part are two copies. Empty: all of it, or its core.
  std::string part;
  std::optional<std::string> version;
  std::string version_from;
  bool built_in = false;
  // An allocator: it offers malloc and free under these names and asks no other for memory. Where it comes first in the
  // search order, it serves the whole program.
  bool serves_all = false;
};

struct Family {
  const char* title;
  std::optional<Copy> (*recognise)(const LoadedFile&);
  // Does a symbol of this (mangled) name belong to the family's interface? Absent: the family's copies never share
  // names, or calls between them mean nothing.
  bool (*owns)(std::string_view symbol) = nullptr;
};

std::span<const Family* const> all_families();
std::span<const char* const> names_of_families();

}  // namespace sigwhy::inventory
