#include "inventory/site_folders.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "inventory/files.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t most_folders = 500;

void add_folder(std::vector<std::string>& folders, const std::string& folder) {
  if (folders.size() >= most_folders || !is_folder(folder)) return;
  const auto same = [&](const std::string& other) { return other == folder || real_path(other) == real_path(folder); };
  if (std::ranges::none_of(folders, same)) folders.push_back(folder);
}

std::string versioned(const Interpreter& python, const std::string& prefix, const char* lib) {
  return fmt::format("{}/{}/python{}.{}", prefix, lib, python.major, python.minor);
}

void add_standard(Interpreter& python, const std::string& prefix) {
  for (const char* lib : {"lib", "lib64"}) {
    const auto folder = versioned(python, prefix, lib);
    add_folder(python.standard, folder);
    add_folder(python.standard, folder + "/lib-dynload");
  }
}

// Debian's interpreters look into dist-packages, outside of virtual environments only.
void add_installed(Interpreter& python, const std::string& prefix, std::vector<std::string>& folders) {
  if (prefix == "/usr") {
    for (const char* debian : {"/usr/local", "/usr"}) add_folder(folders, versioned(python, debian, "lib") + "/dist-packages");
    if (python.major == 3) add_folder(folders, "/usr/lib/python3/dist-packages");
  }
  for (const char* lib : {"lib", "lib64"}) add_folder(folders, versioned(python, prefix, lib) + "/site-packages");
  if (python.implementation == "pypy") add_folder(folders, prefix + "/site-packages");
}

// Code in a .pth that is known to leave what can be imported as it is, or to add what lies beside it anyway.
bool is_harmless_code(std::string_view file) {
  return file == "distutils-precedence.pth" || file == "_virtualenv.pth" || file.ends_with("-nspkg.pth") || file == "matplotlib.pth" ||
         file == "coverage.pth" || file == "a1_coverage.pth";
}

void read_path_file(Interpreter& python, const std::string& folder, const std::string& name) {
  const auto text = read_text(joined(folder, name), 1 << 20);
  if (!text) return;
  for (const auto line : lines_of(*text)) {
    const auto entry = stripped(line);
    if (entry.empty() || entry.starts_with('#')) continue;
    if (entry.starts_with("import ") || entry.starts_with("import\t")) {
      if (!is_harmless_code(name)) python.code_at_start.push_back(joined(folder, name));
      continue;
    }
    add_folder(python.site, joined(folder, entry));
  }
}

void add_site_folder(Interpreter& python, const std::string& folder) {
  const auto before = python.site.size();
  add_folder(python.site, folder);
  if (python.site.size() == before) return;
  for (const auto& name : Listings().names(folder))
    if (name.ends_with(".pth") && !name.starts_with('.')) read_path_file(python, folder, name);
}

std::string user_site(const Interpreter& python, const Surroundings& around) {
  auto base = around.variable("PYTHONUSERBASE");
  if (base.empty() && !around.variable("HOME").empty()) base = around.variable("HOME") + "/.local";
  return base.empty() ? base : versioned(python, base, "lib") + "/site-packages";
}

void add_from_variable(Interpreter& python, const Surroundings& around) {
  std::string_view text = around.environment.count("PYTHONPATH") ? around.environment.find("PYTHONPATH")->second : std::string_view();
  while (!text.empty()) {
    const auto end = std::min(text.find(':'), text.size());
    add_folder(python.from_variable, joined(around.directory, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

void add_folders(Interpreter& python, const PythonOptions& options, const Surroundings& around, bool with_system) {
  if (!python.known()) return;
  if (!options.ignores_environment) add_from_variable(python, around);
  add_standard(python, python.base_prefix);
  if (python.prefix != python.base_prefix) add_standard(python, python.prefix);
  if (options.without_site) return;
  const bool sees_system = !python.virtual_environment || with_system;
  const bool user = sees_system && !options.without_user_site &&
                    (options.ignores_environment || around.variable("PYTHONNOUSERSITE").empty());
  if (const auto folder = user_site(python, around); user && !folder.empty()) add_site_folder(python, folder);
  std::vector<std::string> installed;
  add_installed(python, python.virtual_environment ? python.prefix : python.base_prefix, installed);
  if (python.virtual_environment && with_system) add_installed(python, python.base_prefix, installed);
  for (const auto& folder : installed) add_site_folder(python, folder);
}

}  // namespace sigwhy::inventory
