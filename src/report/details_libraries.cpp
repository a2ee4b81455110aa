// Libraries of the known families, and where two copies of one met. Facts for whoever wants to check a verdict.
#include <fmt/format.h>

#include <algorithm>

#include "evidence/names.h"
#include "report/details.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_crossings = 12;

std::string module_name(const Snapshot& s, std::uint64_t module) {
  if (module >= s.modules.size()) return "?";
  const auto& path = s.modules[module].path;
  return path.substr(path.rfind('/') + 1);
}

bool is_doubled(const Inventory& inventory, const Library& library) {
  return std::ranges::count_if(inventory.libraries, [&](const Library& other) {
           return other.family == library.family && other.part == library.part;
         }) > 1;
}

// "wheel of torch", "system", ...: whose files they are.
std::string origin_text(const Snapshot& s, const Library& library) {
  if (library.module >= s.modules.size()) return "";
  const auto& module = s.modules[library.module];
  return module.package ? "of package " + *module.package : std::string(to_name(module.origin));
}

std::string how_text(const Snapshot& s, const Library& library) {
  std::string text(to_name(library.came_in));
  if (library.brought_by) text += " by " + module_name(s, *library.brought_by);
  if (library.imported)
    text += fmt::format(", {}:{}", library.imported->file.substr(library.imported->file.rfind('/') + 1),
                        library.imported->line);
  return text;
}

Row library_row(const Snapshot& s, const Library& library) {
  return {{library.family + (is_doubled(*s.inventory, library) ? " *" : ""),
           library.name + (library.version ? " " + *library.version : ""),
           fmt::format("{}, {}, {}", module_name(s, library.module), origin_text(s, library), how_text(s, library))}};
}

Section crossing_section(const Snapshot& s) {
  Section section{"Calls bound to another copy", {}};
  const auto& all = s.inventory->crossings;
  for (const auto& crossing : all) {
    if (section.rows.size() >= most_crossings) break;
    section.rows.push_back({{module_name(s, crossing.user), crossing.symbol,
                             fmt::format("bound to {}, linked with {}", module_name(s, crossing.bound_to),
                                         module_name(s, crossing.expected))}});
  }
  if (all.size() > most_crossings)
    section.rows.push_back({{fmt::format("and {} more", count_text(all.size() - most_crossings))}});
  return section;
}

}  // namespace

std::vector<Section> library_details(const Snapshot& s) {
  if (!s.inventory || s.inventory->libraries.empty()) return {};
  auto libraries = s.inventory->libraries;
  std::ranges::stable_sort(libraries, {}, &Library::family);
  const bool doubled = std::ranges::any_of(libraries, [&](const Library& l) { return is_doubled(*s.inventory, l); });
  Section section{doubled ? "Libraries (* more than one copy)" : "Libraries", {}};
  for (const auto& library : libraries) section.rows.push_back(library_row(s, library));
  return {section, crossing_section(s)};
}

}  // namespace sigwhy::report
