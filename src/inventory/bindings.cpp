#include "inventory/bindings.h"

#include <algorithm>
#include <list>
#include <map>

#include "native/modules.h"
#include "native/symbols.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_of_one_user = 24;
constexpr std::size_t most_users = 64;
constexpr std::size_t most_frames = 16;

using Modules = std::vector<std::size_t>;

bool has(const Modules& list, std::size_t module) { return std::ranges::count(list, module) > 0; }

struct OpenFile {
  native::ElfFile elf;
  std::optional<native::DynamicTable> table;
};

// Files of modules, opened once.
class Files {
 public:
  Files(const Target& target, const Snapshot& s) : target_(target), s_(s) {}

  const OpenFile* of(std::size_t module) {
    const auto [entry, is_new] = files_.try_emplace(module, nullptr);
    if (!is_new) return entry->second;
    auto opened = native::open_module(target_, s_.modules[module]);
    if (!opened.elf) return nullptr;
    auto& file = kept_.emplace_back(OpenFile{std::move(*opened.elf), std::nullopt});
    file.table = native::DynamicTable::of(file.elf);
    if (file.table) entry->second = &file;
    return entry->second;
  }

 private:
  const Target& target_;
  const Snapshot& s_;
  std::list<OpenFile> kept_;
  std::map<std::size_t, const OpenFile*> files_;
};

// What one file searches, in order, cut down to the copies of the family in question.
struct Scopes {
  Modules own;     // itself and what it needs, breadth first
  Modules opened;  // the same of the file that was opened and brought it
};

Modules needed_by(const Snapshot& s, const Survey& survey, std::size_t root) {
  Modules scope{root};
  for (std::size_t done = 0; done < scope.size(); ++done)
    for (const auto& name : survey.modules[scope[done]].needed)
      if (const auto next = survey.provider(s, name); next && !has(scope, *next)) scope.push_back(*next);
  return scope;
}

Modules global_scope(const LoadOrder& order) {
  Modules scope;
  for (const auto i : order.modules)
    if (!order.global.empty() && order.global[i]) scope.push_back(i);
  return scope;
}

Modules only(Modules scope, const Modules& copies) {
  std::erase_if(scope, [&](std::size_t i) { return !has(copies, i); });
  return scope;
}

std::optional<std::size_t> first_definition(Files& files, const Modules& scope, const native::CallSlot& slot) {
  for (const auto module : scope) {
    const auto* file = files.of(module);
    const auto definition = file ? file->table->find(slot.symbol) : std::nullopt;
    if (!definition) continue;
    const bool fits = slot.version.empty() ? definition->default_version
                                           : definition->version.empty() || definition->version == slot.version;
    if (fits) return module;
  }
  return std::nullopt;
}

// What the loader wrote into the slot. One that was not used yet points back into its own file.
std::optional<std::size_t> in_memory(const Target& target, const Snapshot& s, const OpenFile& file, std::size_t user,
                                     const native::CallSlot& slot) {
  const auto start = file.elf.address_of_offset(0);
  if (!start) return std::nullopt;
  const auto value = target.memory->read_value<std::uint64_t>(s.modules[user].start + (slot.address - *start));
  const auto module = value ? native::module_at(s.modules, Address{*value}) : std::nullopt;
  return module && *module != user ? std::optional<std::size_t>(*module) : std::nullopt;
}

struct Search {
  const Target& target;
  const Snapshot& s;
  const Survey& survey;
  const std::vector<Entry>& entries;
  const Budget& budget;
  Files files{target, s};
  std::vector<Crossing> found;
};

// "20RepeatedPtrFieldBase": the classes, as they stand in mangled names, whose functions run on the dying stack.
std::vector<std::string> classes_on_stack(const Snapshot& s) {
  std::vector<std::string> classes;
  const auto add = [&](std::string_view symbol) {
    const auto name = symbol.substr(0, symbol.find_first_of("(<"));
    const auto end = name.rfind("::");
    if (end == name.npos || end == 0) return;
    const auto colon = name.rfind(':', end - 1);
    const auto last = name.substr(colon == name.npos ? 0 : colon + 1, end - (colon == name.npos ? 0 : colon + 1));
    if (!last.empty()) classes.push_back(std::to_string(last.size()) + std::string(last));
  };
  const auto dying = std::ranges::find_if(s.threads, &Thread::died);
  if (dying == s.threads.end()) return classes;
  for (std::size_t i = 0; i < std::min<std::size_t>(dying->frames.size(), most_frames); ++i) {
    add(dying->frames[i].symbol.value_or(""));
    for (const auto& call : dying->frames[i].inlined) add(call.symbol);
  }
  return classes;
}

// What the dying code may have called first: only so many are kept.
void sort_by_interest(const Snapshot& s, std::vector<native::CallSlot>& slots) {
  const auto classes = classes_on_stack(s);
  std::ranges::stable_partition(slots, [&](const native::CallSlot& slot) {
    return std::ranges::any_of(classes, [&](const std::string& name) { return slot.symbol.find(name) != std::string::npos; });
  });
}

void search_user(Search& search, const Family& family, const Modules& copies, std::size_t user) {
  const auto* file = search.files.of(user);
  auto slots = file ? file->table->call_slots(family.owns) : std::nullopt;
  if (!slots || slots->empty()) return;
  sort_by_interest(search.s, *slots);
  const Scopes scopes{only(needed_by(search.s, search.survey, user), copies),
                      only(needed_by(search.s, search.survey, opened_root(search.entries, user)), copies)};
  const auto global = only(global_scope(search.survey.order), copies);
  std::size_t count = 0;
  for (const auto& slot : *slots) {
    if (count >= most_of_one_user || search.budget.spent()) return;
    const auto expected = first_definition(search.files, scopes.own, slot);
    if (!expected) continue;
    auto bound = in_memory(search.target, search.s, *file, user, slot);
    const bool asks_itself = slot.defined_here && search.survey.modules[user].symbolic;
    if (!bound && asks_itself) continue;
    if (!bound) bound = first_definition(search.files, global, slot);
    if (!bound) bound = first_definition(search.files, scopes.opened, slot);
    if (!bound || *bound == *expected || !has(copies, *bound)) continue;
    search.found.push_back({native::demangled(slot.symbol), user, *bound, *expected});
    ++count;
  }
}

// Copies of one part of the family, and who calls them by name: they themselves and whoever needs one.
void search_copies(Search& search, const Family& family, const Modules& copies) {
  std::size_t users = 0;
  for (std::size_t i = 0; i < search.s.modules.size() && users < most_users; ++i) {
    const auto needs_one = std::ranges::any_of(search.survey.modules[i].needed, [&](const std::string& name) {
      const auto provider = search.survey.provider(search.s, name);
      return provider && has(copies, *provider);
    });
    if (!needs_one && !has(copies, i)) continue;
    ++users;
    search_user(search, family, copies, i);
  }
}

}  // namespace

std::vector<Crossing> crossings(const Target& target, const Snapshot& s, const Survey& survey,
                                const std::vector<Entry>& entries, const Budget& budget) {
  Search search{target, s, survey, entries, budget};
  const auto families = all_families();
  for (std::size_t f = 0; f < families.size(); ++f) {
    if (!families[f]->owns) continue;
    std::map<std::string, Modules> by_part;
    for (std::size_t i = 0; i < survey.modules.size(); ++i)
      for (const auto& held : survey.modules[i].holds)
        if (held.family == f) by_part[held.copy.part].push_back(i);
    for (const auto& [part, copies] : by_part)
      if (copies.size() > 1) search_copies(search, *families[f], copies);
  }
  return std::move(search.found);
}

}  // namespace sigwhy::inventory
