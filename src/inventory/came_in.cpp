#include "inventory/came_in.h"

#include <algorithm>

#include "native/module_origin.h"

namespace sigwhy::inventory {

namespace {

constexpr int most_steps = 64;

// LD_PRELOAD names a file or its soname; /proc shows what the links lead to.
bool is_preloaded(const Snapshot& s, std::size_t i, const std::string& soname) {
  const auto set = s.process.switches.find("LD_PRELOAD");
  std::string_view list = set == s.process.switches.end() ? std::string_view() : set->second;
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(": "), list.size());
    const auto name = native::base_name(list.substr(0, end));
    if (!name.empty() && (name == native::base_name(s.modules[i].path) || name == soname)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// Who needs a module, first in the loader's order. The loader lists a file before what it needs, so that one which
// stands before everybody who needs it was opened by itself.
std::vector<std::optional<std::size_t>> first_needers(const Snapshot& s, const Survey& survey) {
  std::vector<std::optional<std::size_t>> needers(s.modules.size());
  std::vector<bool> passed(s.modules.size());
  std::vector<std::size_t> order = survey.order.modules;
  for (std::size_t i = 0; i < s.modules.size() && !survey.order.known(); ++i) order.push_back(i);
  for (const auto i : order) {
    passed[i] = survey.order.known();
    for (const auto& name : survey.modules[i].needed) {
      const auto provider = survey.provider(s, name);
      if (provider && *provider != i && !passed[*provider] && !needers[*provider]) needers[*provider] = i;
    }
  }
  return needers;
}

}  // namespace

std::vector<Entry> entries(const Snapshot& s, const Survey& survey) {
  const auto needers = first_needers(s, survey);
  std::vector<Entry> all(s.modules.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_program = s.modules[i].path == s.process.executable || s.modules[i].origin == Origin::program;
    if (is_program) all[i] = {CameIn::program, std::nullopt};
    else if (is_preloaded(s, i, survey.modules[i].soname)) all[i] = {CameIn::preloaded, std::nullopt};
    else if (needers[i]) all[i] = {CameIn::needed, needers[i]};
    else if (survey.modules[i].looked && survey.not_looked == 0) all[i] = {CameIn::opened, std::nullopt};
  }
  return all;
}

std::size_t opened_root(const std::vector<Entry>& entries, std::size_t module) {
  for (int step = 0; step < most_steps && entries[module].brought_by; ++step) module = *entries[module].brought_by;
  return module;
}

}  // namespace sigwhy::inventory
