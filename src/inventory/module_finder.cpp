#include "inventory/module_finder.h"

#include <fmt/format.h>

#include <algorithm>

namespace sigwhy::inventory {

ModuleFinder::ModuleFinder(const Interpreter& python, std::string first) : python_(python) {
  if (!first.empty()) folders_.push_back(std::move(first));
  for (const auto* list : {&python.from_variable, &python.standard, &python.site})
    folders_.insert(folders_.end(), list->begin(), list->end());
  if (python.major == 2) suffixes_ = {".x86_64-linux-gnu.so", ".so", "module.so"};
  else
    for (const char* letter : {"", "m", "d", "t"})
      for (const char* triplet : {"x86_64-linux-gnu", "x86_64-linux-musl"})
        suffixes_.push_back(fmt::format(".cpython-{}{}{}-{}.so", python.major, python.minor, letter, triplet));
  if (python.implementation == "pypy") suffixes_ = {fmt::format(".pypy{}{}-pp73-x86_64-linux-gnu.so", python.major, python.minor)};
  if (python.major == 3) suffixes_.insert(suffixes_.end(), {fmt::format(".cpython-{}{}.so", python.major, python.minor), ".abi3.so", ".so"});
}

void ModuleFinder::put_first(const std::string& folder) {
  folders_.insert(folders_.begin(), folder);
  found_.clear();
}

const FoundModule* ModuleFinder::find(const std::string& name) {
  auto [entry, is_new] = found_.try_emplace(name);
  if (is_new) {
    auto module = look_up(name);
    entry = found_.find(name);  // looking up the package it is in may have moved the table
    entry->second = std::move(module);
  }
  return entry->second ? &*entry->second : nullptr;
}

std::optional<FoundModule> ModuleFinder::look_up(const std::string& name) {
  const auto dot = name.rfind('.');
  std::vector<std::string> folders = folders_;
  const FoundModule* parent = nullptr;
  if (dot == name.npos && (name == "sys" || name == "builtins" || name == "__builtin__"))
    return FoundModule{.kind = FoundModule::Kind::built_in, .standard = true};
  if (dot != name.npos) {
    parent = find(name.substr(0, dot));
    if (!parent) return std::nullopt;
    folders = parent->folders;
  }
  const auto last = name.substr(dot + 1);
  FoundModule spread{.kind = FoundModule::Kind::namespace_package};
  for (const auto& folder : folders) {
    auto module = in_folder(folder, last);
    if (!module) continue;
    module->root = parent ? parent->root.empty() ? folder : parent->root : folder;
    module->standard = parent ? parent->standard : std::ranges::count(python_.standard, folder) > 0;
    if (module->kind != FoundModule::Kind::namespace_package) return module;
    spread.folders.push_back(module->folders[0]);
    if (spread.root.empty()) spread.root = module->root;
  }
  // site.py may have split a package of the same name over many folders (nspkg.pth); Python 2 knows no others.
  if (!spread.folders.empty()) return spread;
  if (dot == name.npos && may_be_built_in(name)) return FoundModule{.kind = FoundModule::Kind::built_in, .standard = true};
  return std::nullopt;
}

std::string ModuleFinder::extension_in(const std::string& folder, const std::string& name) {
  for (const auto& suffix : suffixes_)
    if (listings_.kind(folder, name + suffix) == Listings::Kind::file) return folder + "/" + name + suffix;
  return {};
}

std::optional<FoundModule> ModuleFinder::in_folder(const std::string& folder, const std::string& name) {
  using enum FoundModule::Kind;
  const auto kind = listings_.kind(folder, name);
  if (kind == Listings::Kind::folder) {
    const auto inside = folder + "/" + name;
    if (listings_.kind(inside, "__init__.py") == Listings::Kind::file) return FoundModule{source, inside + "/__init__.py", {inside}, {}};
    if (listings_.kind(inside, "__init__.pyc") == Listings::Kind::file) return FoundModule{compiled, inside + "/__init__.pyc", {inside}, {}};
    if (auto file = extension_in(inside, "__init__"); !file.empty()) return FoundModule{extension, file, {inside}, {}};
  }
  if (auto file = extension_in(folder, name); !file.empty()) return FoundModule{extension, file, {}, {}};
  for (const auto& [suffix, what] : {std::pair(".py", source), std::pair(".pyc", compiled)})
    if (listings_.kind(folder, name + suffix) == Listings::Kind::file) return FoundModule{what, folder + "/" + name + suffix, {}, {}};
  if (kind == Listings::Kind::folder) return FoundModule{namespace_package, {}, {folder + "/" + name}, {}};
  return std::nullopt;
}

}  // namespace sigwhy::inventory
