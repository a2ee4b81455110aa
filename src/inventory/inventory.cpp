#include "inventory/inventory.h"

#include <fmt/format.h>

#include "inventory/allocator_calls.h"
#include "inventory/bindings.h"
#include "inventory/came_in.h"
#include "inventory/imported.h"
#include "inventory/survey.h"

namespace sigwhy::inventory {

namespace {

constexpr double most_seconds = 0.2;

void add_gaps(const Survey& survey, std::vector<Gap>& gaps) {
  if (survey.not_looked)
    gaps.push_back({fmt::format("what {} of the loaded files are", survey.not_looked), "there was no time to read them",
                    ""});
}

}  // namespace

Inventory take_inventory(const Target& target, const Snapshot& s, std::vector<Gap>& gaps) {
  Inventory out;
  const Budget budget(most_seconds);
  const auto found = survey(target, s, budget);
  const auto how = entries(s, found);
  const ImportLines imports(target, s);
  for (std::size_t i = 0; i < found.modules.size(); ++i)
    for (const auto& held : found.modules[i].holds) {
      Library library{.family = names_of_families()[held.family],
                      .name = held.copy.name,
                      .part = held.copy.part,
                      .version = held.copy.version,
                      .version_from = held.copy.version ? held.copy.version_from : "",
                      .module = i,
                      .came_in = held.copy.built_in ? CameIn::built_in : how[i].how};
      if (how[i].brought_by) library.brought_by = *how[i].brought_by;
      library.imported = imports.bringing(s.modules[i]);
      if (!library.imported) library.imported = imports.bringing(s.modules[opened_root(how, i)]);
      out.libraries.push_back(std::move(library));
    }
  out.crossings = crossings(target, s, found, how, budget);
  if (auto passed_by = allocator_passed_by(s, found)) out.crossings.push_back(std::move(*passed_by));
  add_gaps(found, gaps);
  return out;
}

}  // namespace sigwhy::inventory
