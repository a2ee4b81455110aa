#include "inventory/survey.h"

#include <algorithm>

#include "native/file_backed_memory.h"
#include "native/module_origin.h"
#include "native/modules.h"
#include "target/loaded_objects.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_objects = 4096;

// A grab has kept the list; of a core, memory still holds it.
LoadedObjects loaded_objects(const Target& target, const Snapshot& s, std::vector<LoadedObject>& objects) {
  if (const auto kept = target.files.find("loader"); kept != target.files.end())
    return parse_loaded_objects(kept->second, objects);
  for (const auto& module : s.modules) {
    if (!is_loader(native::base_name(module.path))) continue;
    objects.resize(most_objects);
    const auto found = read_loaded_objects(native::FileBackedMemory(target), module.start, objects);
    objects.resize(found.count);
    return found;
  }
  return {};
}

LoadOrder load_order(const Target& target, const Snapshot& s) {
  LoadOrder order;
  std::vector<LoadedObject> objects;
  const auto found = loaded_objects(target, s, objects);
  if (!found.whole) return order;
  if (found.global_known) order.global.resize(s.modules.size());
  for (const auto& object : objects) {
    const auto module = native::module_at(s.modules, object.dynamic);
    if (!module || std::ranges::count(order.modules, *module) > 0) continue;
    order.modules.push_back(*module);
    if (found.global_known) order.global[*module] = object.global;
  }
  return order;
}

std::vector<std::size_t> in_order_of_interest(const Snapshot& s) {
  std::vector<std::size_t> order;
  std::vector<bool> taken(s.modules.size());
  const auto take = [&](std::size_t i) {
    if (i < taken.size() && !taken[i]) taken[i] = true, order.push_back(i);
  };
  if (!s.threads.empty())
    for (const auto& frame : s.threads[0].frames)
      if (frame.module) take(*frame.module);
  for (std::size_t i = 0; i < s.modules.size(); ++i) take(i);
  return order;
}

Surveyed look_at(const Module& module, const native::ElfFile& elf) {
  Surveyed out{.looked = true};
  const auto table = native::DynamicTable::of(elf);
  if (!table) return out;
  out.soname = table->soname();
  out.needed = table->needed();
  out.symbolic = table->symbolic();
  const LoadedFile file{module, elf, *table, library_name(module.path)};
  const auto families = all_families();
  for (std::size_t i = 0; i < families.size(); ++i)
    if (auto copy = families[i]->recognise(file)) out.holds.push_back({i, std::move(*copy)});
  return out;
}

}  // namespace

std::optional<std::size_t> Survey::provider(const Snapshot& s, const std::string& name) const {
  const auto is_it = [&](std::size_t i) {
    return i < modules.size() && (modules[i].soname == name || native::base_name(s.modules[i].path) == name);
  };
  for (const auto i : order.modules)
    if (is_it(i)) return i;
  for (std::size_t i = 0; i < modules.size() && !order.known(); ++i)
    if (is_it(i)) return i;
  return std::nullopt;
}

Survey survey(const Target& target, const Snapshot& s, const Budget& budget) {
  Survey out{.modules = std::vector<Surveyed>(s.modules.size()), .order = load_order(target, s)};
  for (const auto i : in_order_of_interest(s)) {
    if (s.modules[i].path == native::vdso_path) continue;
    if (budget.spent()) {
      ++out.not_looked;
      continue;
    }
    const auto file = native::open_module(target, s.modules[i]);
    if (file.elf) out.modules[i] = look_at(s.modules[i], *file.elf);
    else ++out.unreadable;
  }
  return out;
}

}  // namespace sigwhy::inventory
