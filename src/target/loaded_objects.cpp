#include "target/loaded_objects.h"

#include <link.h>
#include <stdio.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "target/dynamic_symbols.h"

namespace sigwhy {

namespace {

constexpr std::size_t longest_line = 24;
constexpr std::uint64_t pieces_at_once = 64;

// The first fields of glibc's struct link_namespaces and of the list it points to.
struct Namespace {
  std::uint64_t first_map;
  std::uint32_t count;
  std::uint32_t padding;
  std::uint64_t global_scope;
};
struct ScopeList {
  std::uint64_t maps;
  std::uint32_t count;
  std::uint32_t padding;
};

bool mark_global(const Memory& memory, Address loader, std::span<LoadedObject> objects) {
  const auto at = dynamic_symbol(memory, loader, "_rtld_global");
  const auto space = at ? memory.read_value<Namespace>(*at) : std::nullopt;
  if (!space || objects.empty() || space->first_map != objects[0].map.value) return false;
  const auto list = memory.read_value<ScopeList>(Address{space->global_scope});
  if (!list || list->count == 0 || list->count > objects.size()) return false;
  for (std::uint32_t done = 0; done < list->count; done += pieces_at_once) {
    std::array<std::uint64_t, pieces_at_once> maps{};
    const auto part = std::span(maps).first(std::min<std::uint64_t>(pieces_at_once, list->count - done));
    const auto bytes = std::as_writable_bytes(part);
    if (memory.read(Address{list->maps + done * sizeof(std::uint64_t)}, bytes) != bytes.size()) return false;
    for (const auto map : part) {
      const auto object = std::ranges::find(objects, Address{map}, &LoadedObject::map);
      if (object == objects.end()) return false;
      object->global = true;
    }
  }
  return true;
}

}  // namespace

bool is_loader(std::string_view file_name) {
  return file_name.starts_with("ld-linux") || file_name.starts_with("ld-2.") || file_name.starts_with("ld.so");
}

LoadedObjects read_loaded_objects(const Memory& memory, Address loader, std::span<LoadedObject> into) {
  LoadedObjects found;
  const auto at = dynamic_symbol(memory, loader, "_r_debug");
  const auto debug = at ? memory.read_value<r_debug>(*at) : std::nullopt;
  if (!debug) return found;
  std::uint64_t map = reinterpret_cast<std::uint64_t>(debug->r_map);
  while (map && found.count < into.size()) {
    const auto entry = memory.read_value<link_map>(Address{map});
    if (!entry) return found;
    into[found.count++] = {.map = Address{map}, .dynamic = Address{reinterpret_cast<std::uint64_t>(entry->l_ld)}};
    map = reinterpret_cast<std::uint64_t>(entry->l_next);
  }
  found.whole = map == 0;
  found.global_known = mark_global(memory, loader, into.first(found.count));
  return found;
}

std::size_t write_loaded_objects(const LoadedObjects& found, std::span<const LoadedObject> objects,
                                 std::span<char> into) {
  if (into.size() < longest_line) return 0;
  std::size_t size = static_cast<std::size_t>(
      snprintf(into.data(), longest_line, "%s %s\n", found.whole ? "whole" : "part", found.global_known ? "known" : "-"));
  for (const auto& object : objects.first(found.count)) {
    if (into.size() - size < longest_line) break;
    size += static_cast<std::size_t>(snprintf(into.data() + size, longest_line, "%llx %c\n",
                                              static_cast<unsigned long long>(object.dynamic.value),
                                              object.global ? 'g' : '-'));
  }
  return size;
}

LoadedObjects parse_loaded_objects(std::string_view text, std::vector<LoadedObject>& into) {
  LoadedObjects found{.whole = text.starts_with("whole "), .global_known = text.find(" known\n") < longest_line};
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    text.remove_prefix(end + 1);
    std::uint64_t dynamic = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), dynamic, 16);
    if (error != std::errc{} || text.data() + text.size() - rest < 2) break;
    into.push_back({.dynamic = Address{dynamic}, .global = rest[1] == 'g'});
  }
  found.count = into.size();
  return found;
}

}  // namespace sigwhy
