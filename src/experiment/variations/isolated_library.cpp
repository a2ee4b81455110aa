// LD_LIBRARY_PATH, LD_PRELOAD and PYTHONPATH put libraries in front of those that a program was built and tested
// with: a module's own copy is shadowed by another version. Without them each program finds its own again.
#include <fmt/format.h>

#include <algorithm>

#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

namespace {

bool brings_a_loaded_library(const Subject& subject, const std::string& folders) {
  for (std::size_t at = 0; at < folders.size();) {
    const auto end = std::min(folders.find_first_of(": ", at), folders.size());
    auto folder = folders.substr(at, end - at);
    while (folder.ends_with('/')) folder.pop_back();
    at = end + 1;
    if (folder.empty()) continue;
    if (!folder.starts_with('/')) folder = subject.recipe.directory + "/" + folder;
    if (std::ranges::any_of(subject.before.snapshot.modules,
                            [&](const Module& m) { return m.path == folder || m.path.starts_with(folder + "/"); }))
      return true;
  }
  return false;
}

Plan plan(const Subject& subject) {
  if (!has_death(subject)) return std::unexpected("it did not die");
  std::vector<std::string> names;
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "PYTHONPATH"})
    if (const auto value = variable(subject.recipe, name); value && brings_a_loaded_library(subject, *value))
      names.emplace_back(name);
  if (names.empty()) return std::unexpected("no library came from LD_LIBRARY_PATH, LD_PRELOAD or PYTHONPATH");
  const auto text = fmt::format("{}", fmt::join(names, " and "));
  Planned planned{.words = "without " + text,
                  .cause = Cause::mixed_libraries,
                  .prediction = "with its own libraries it does not die",
                  .claim = "a library that " + text + " puts in front is not the one it needs",
                  .rival = "other libraries also lay out memory differently",
                  .fix = "unset " + text,
                  .rank = 75,
                  .why = "libraries came from " + text};
  planned.change.unset = names;
  return planned;
}

}  // namespace

extern const Variation isolated_library;
const Variation isolated_library = {.title = "its own libraries", .plan = plan};

}  // namespace sigwhy::experiment::variations
