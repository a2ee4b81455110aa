// The dynamic loader's own account of what it loaded: in which order, and which of it every later module is bound
// against (the global scope: the program, what it needs, preloads, and what was opened with RTLD_GLOBAL). Read through
// memory, with nothing allocated, because the list is gone with the process. Public ABI: _r_debug and the head of
// link_map; the global scope is glibc's own (_rtld_global) and is believed only where it agrees with that list.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "target/memory.h"

namespace sigwhy {

struct LoadedObject {
  Address map;      // its link_map
  Address dynamic;  // its dynamic section, by which its module is found
  bool global = false;
};

struct LoadedObjects {
  std::size_t count = 0;
  bool whole = false;         // the list ended by itself
  bool global_known = false;  // `global` was read, not assumed
};

// `loader` is where ld.so's first bytes are mapped.
LoadedObjects read_loaded_objects(const Memory& memory, Address loader, std::span<LoadedObject> into);

// Is this the file of a dynamic loader?
bool is_loader(std::string_view file_name);

// How a grab keeps the list: a line "DYNAMIC g" or "DYNAMIC -" an object, in the loader's order; the first line says
// whether the letters can be believed.
std::size_t write_loaded_objects(const LoadedObjects& found, std::span<const LoadedObject> objects,
                                 std::span<char> into);
LoadedObjects parse_loaded_objects(std::string_view text, std::vector<LoadedObject>& into);

}  // namespace sigwhy
