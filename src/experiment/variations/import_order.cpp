// Two packages that bring one library each decide by the order of their imports which copy everybody gets: the first
// one's symbols win, the first OpenMP runtime is the one that runs. Imported in the other order before anything else,
// the program meets the other copy.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "experiment/python_code.h"
#include "experiment/script.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

namespace {

bool exists(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0;
}

// Packages with native code, and modules of the user's own that may load some. The standard library has no part in it.
std::vector<std::string> implicated(const Subject& subject, const std::string& script) {
  std::ifstream file(script);
  std::stringstream source;
  source << file.rdbuf();
  auto names = imports_of(source.str());
  const auto folder = folder_of(script);
  std::erase_if(names, [&](const std::string& name) {
    return !has_package(subject, name) && !exists(folder + "/" + name + ".py") && !exists(folder + "/" + name + "/__init__.py");
  });
  return names;
}

Cause conflict_of(const Subject& subject) {
  for (const auto cause : {Cause::protobuf_conflict, Cause::openmp_conflict, Cause::abi_mismatch, Cause::mixed_libraries})
    if (finding_of(subject.before, cause)) return cause;
  return Cause::mixed_libraries;
}

Plan plan(const Subject& subject) {
  if (!runs_python(subject)) return std::unexpected("it runs no Python");
  if (!has_death(subject)) return std::unexpected("it did not die");
  const auto script = script_of(subject.recipe);
  if (!script) return std::unexpected("it runs no script whose imports could be read");
  auto names = implicated(subject, *script);
  if (names.size() < 2) return std::unexpected("it does not import two packages with native code");
  const auto first = names.front(), last = names.back();
  std::ranges::reverse(names);
  const auto cause = conflict_of(subject);
  Planned planned{.words = fmt::format("with {} imported before {}", last, first),
                  .cause = cause,
                  .prediction = "with the imports in the other order it does not die",
                  .claim = fmt::format("it depends on which of {} and {} is imported first", first, last),
                  .rival = "another order of imports also lays out memory differently",
                  .fix = fmt::format("import {} before {}", last, first),
                  .rank = finding_of(subject.before, cause) ? 88 : 48,
                  .why = fmt::format("it imports {} and {}", first, last)};
  planned.change.start_up = fmt::format("import sys\nsys.path.insert(0, {0})\ntry:\n", quoted(folder_of(*script)));
  for (const auto& name : names) planned.change.start_up += "    import " + name + "\n";
  planned.change.start_up += fmt::format("finally:\n    sys.path.remove({})\n", quoted(folder_of(*script)));
  return planned;
}

}  // namespace

extern const Variation import_order;
const Variation import_order = {.title = "other order of imports", .plan = plan};

}  // namespace sigwhy::experiment::variations
