#include <algorithm>
#include <chrono>

#include "inventory/check.h"
#include "native/host.h"

namespace sigwhy::inventory {

namespace {

constexpr double reading_seconds = 1.2;

bool is_installed(const Interpreter& python, const std::string& file) {
  for (const auto* folders : {&python.standard, &python.site})
    for (const auto& folder : *folders)
      if (is_below(file, folder)) return true;
  return false;
}

std::string package_of_module(const std::string& name, const FoundModule& found) {
  if (!found.folders.empty()) return name;
  const auto dot = name.rfind('.');
  return dot == name.npos ? "" : name.substr(0, dot);
}

// What is read as the program: the script, the module of -m (a package runs its __main__), the code of -c; and the
// script that a launcher starts.
std::vector<Source> programs_of(Prospect& p, ModuleFinder& finder) {
  std::vector<Source> programs;
  auto& command = p.command;
  bool is_launcher = false;
  if (!command.code.empty()) programs.push_back({.text = command.code, .is_program = true});
  if (!command.module.empty()) {
    auto name = command.module;
    const auto* found = finder.find(name);
    if (found && !found->folders.empty()) found = finder.find(name += ".__main__");
    if (found && found->kind == FoundModule::Kind::source) {
      is_launcher = is_installed(p.python, found->file);
      programs.push_back({.file = found->file, .package = package_of_module(name, *found), .is_program = true, .installed = is_launcher});
    }
  }
  if (!command.script.empty() && is_folder(command.script)) command.script += "/__main__.py";
  if (!command.script.empty()) {
    is_launcher = folder_of(command.script) == folder_of(p.python.path) || folder_of(real_path(command.script)) == folder_of(p.python.path);
    programs.push_back({.file = command.script, .is_program = true, .installed = is_launcher});
  }
  if (const auto script = is_launcher ? launched_script(command, p.around) : std::string(); !script.empty()) {
    programs.push_back({.file = script, .is_program = true});
    command.script = script;
    finder.put_first(std::string(folder_of(real_path(script))));
  }
  return programs;
}

// The folder in front of sys.path.
std::string first_folder(const Prospect& p) {
  if (p.command.options.without_script_folder) return {};
  if (p.command.script.empty()) return p.around.directory;
  if (is_folder(p.command.script)) return p.command.script;
  return std::string(folder_of(real_path(p.command.script)));
}

// "google.protobuf.message" is google/protobuf's; the shortest part that somebody owns counts, from a namespace inwards.
void add_owners(Prospect& p, ModuleFinder& finder, const std::string& module) {
  for (std::size_t dot = module.find('.');; dot = module.find('.', dot + 1)) {
    const auto part = module.substr(0, dot);
    const auto* found = finder.find(part);
    if (!found || found->standard) return;
    if (found->kind != FoundModule::Kind::namespace_package) {
      auto inside = part;
      std::ranges::replace(inside, '.', '/');
      for (const auto* owner : p.installed.owners(found->root, inside))
        if (std::ranges::count(p.direct, owner) == 0) p.direct.push_back(owner);
      return;
    }
    if (dot == module.npos) return;
  }
}

void read_python(Prospect& p) {
  p.python = read_interpreter(p.command, p.around);
  if (!p.python.known()) {
    p.gaps.push_back({"the packages", "no file says which Python " + p.python.path + " is", ""});
    return;
  }
  p.installed = Distributions::installed_for(p.python);
  ModuleFinder finder(p.python, first_folder(p));
  const auto programs = programs_of(p, finder);
  p.imports = read_imports(programs, {first_folder(p)}, finder, Budget(reading_seconds));
  p.gaps.insert(p.gaps.end(), p.imports.gaps.begin(), p.imports.gaps.end());
  for (const auto& import : p.imports.own)
    if (import.found && !import.own && !import.standard) add_owners(p, finder, import.module);
  const auto values = marker_values(p.python);
  p.needed = with_requirements(p.direct, p.installed, values);
  for (const auto& one : p.needed) p.packages.push_back(package_of(*one.distribution, p.installed, values, one.extras));
}

}  // namespace

bool Prospect::imports_module(std::string_view top_level) const {
  return std::ranges::any_of(imports.own, [&](const OwnImport& i) { return i.module.substr(0, i.module.find('.')) == top_level; }) ||
         std::ranges::any_of(imports.loaded, [&](const LoadedModule& m) { return m.name == top_level; });
}

const Distribution* Prospect::owner_of(const std::string& file) const {
  for (const auto& one : needed) {
    if (!is_below(file, one.distribution->folder)) continue;
    const auto inside = file.substr(one.distribution->folder.size() + 1);
    const auto owners = installed.owners(one.distribution->folder, inside.substr(0, inside.find_first_of("/.")));
    if (!owners.empty()) return owners.front();
  }
  return nullptr;
}

const Needed* Prospect::needed_named(std::string_view name) const {
  const auto found = std::ranges::find_if(needed, [&](const Needed& n) { return normal_name(n.distribution->name) == name; });
  return found == needed.end() ? nullptr : &*found;
}

Prospect look_ahead(std::vector<std::string> words, const Surroundings& around) {
  Prospect p;
  p.around = around;
  p.command = plan_command(std::move(words), around);
  p.host = native::this_host();
  if (p.command.is_python && !p.command.program.empty()) read_python(p);
  if (p.command.program.empty()) return p;
  LoadPlan plan(around, p.command.program);
  for (const auto& module : p.imports.loaded)
    if (module.extension) plan.load(module.file, module.name, module.certain);
  p.libraries = plan.libraries();
  return p;
}

CheckUp check_up(const Prospect& p) {
  CheckUp result{.interpreter = p.python.path, .python_version = p.python.version, .script = p.command.script, .packages = p.packages, .gaps = p.gaps};
  for (const auto& import : p.imports.own) {
    const auto top = import.module.substr(0, import.module.find('.'));
    if (!import.own && std::ranges::count(result.imports, top) == 0) result.imports.push_back(top);
  }
  struct Placed {
    int order;
    Concern concern;
  };
  std::vector<Placed> placed;
  for (std::size_t i = 0; i < all_checks().size(); ++i) {
    const auto& check = *all_checks()[i];
    result.checked.push_back(names_of_checks()[i]);
    std::vector<Concern> concerns;
    check.look(p, concerns);
    for (auto& concern : concerns) {
      concern.check = names_of_checks()[i];
      placed.push_back({check.order, std::move(concern)});
    }
  }
  std::ranges::stable_sort(placed, {}, [](const Placed& one) { return std::pair(one.concern.severity, one.order); });
  for (auto& one : placed) result.concerns.push_back(std::move(one.concern));
  return result;
}

}  // namespace sigwhy::inventory
