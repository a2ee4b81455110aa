#include "inventory/interpreter.h"

#include <sys/utsname.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "inventory/files.h"
#include "inventory/site_folders.h"
#include "inventory/version_of_program.h"

namespace sigwhy::inventory {

namespace {

using Settings = std::map<std::string, std::string, std::less<>>;

// "home = /usr/bin"
Settings settings_of(const std::string& path) {
  Settings settings;
  const auto text = read_text(path, 64 << 10);
  if (!text) return settings;
  for (const auto line : lines_of(*text))
    if (const auto equals = line.find('='); equals != line.npos)
      settings.emplace(stripped(line.substr(0, equals)), stripped(line.substr(equals + 1)));
  return settings;
}

std::string setting(const Settings& settings, std::string_view name) {
  const auto found = settings.find(name);
  return found == settings.end() ? std::string() : found->second;
}

// "python3.11" in a name; 0 where it has none.
bool take_version(std::string_view text, Interpreter& python) {
  int major = 0, minor = 0;
  const auto digits = text.find_first_of("0123456789");
  if (digits == text.npos || std::sscanf(std::string(text.substr(digits)).c_str(), "%d.%d", &major, &minor) != 2) return false;
  if (major < 2 || major > 3) return false;
  python.major = major;
  python.minor = minor;
  return true;
}

std::string first_three(const std::string& version) {
  std::size_t end = 0;
  for (int dots = 0; end < version.size(); ++end)
    if (version[end] == '.' && ++dots == 3) break;
  return version.substr(0, end);
}

bool fits(const Interpreter& python, const std::string& version) {
  Interpreter other;
  return take_version(version, other) && other.major == python.major && other.minor == python.minor;
}

// #define PY_VERSION "3.11.7"
std::string version_in_headers(const Interpreter& python) {
  for (const char* suffix : {"", "m", "t"}) {
    const auto text = read_text(fmt::format("{}/include/python{}.{}{}/patchlevel.h", python.base_prefix, python.major, python.minor, suffix));
    if (!text) continue;
    const auto at = text->find("PY_VERSION ");
    const auto open = text->find('"', at), close = text->find('"', open + 1);
    if (at != text->npos && close != text->npos) return text->substr(open + 1, close - open - 1);
  }
  return {};
}

void read_version(Interpreter& python, const Settings& settings) {
  auto stated = setting(settings, "version_info");
  if (stated.empty()) stated = setting(settings, "version");
  stated = first_three(stated);
  if (!take_version(name_of(real_path(python.path)), python)) take_version(stated, python);
  if (python.known() && fits(python, stated) && std::ranges::count(stated, '.') == 2) python.version = stated;
  if (python.known() && python.version.empty()) python.version = version_in_headers(python);
  if (!python.version.empty()) return;
  python.version = version_of_program(python.path);
  if (!python.version.empty()) take_version(python.version, python);
  else if (python.known()) python.version = fmt::format("{}.{}", python.major, python.minor);
}

// The folder above bin; a link from elsewhere leads to it.
std::string prefix_of(const std::string& program) {
  const std::string direct(folder_of(folder_of(program)));
  const std::string resolved(folder_of(folder_of(real_path(program))));
  for (const auto& prefix : {direct, resolved})
    for (const auto& name : Listings().names(prefix + "/lib"))
      if (name.starts_with("python") && is_file(prefix + "/lib/" + name + "/os.py")) return prefix;
  return resolved;
}

}  // namespace

Interpreter read_interpreter(const PlannedCommand& command, const Surroundings& around) {
  Interpreter python;
  python.path = command.program;
  python.implementation = name_of(real_path(command.program)).starts_with("pypy") ? "pypy" : "cpython";
  const std::string bin(folder_of(command.program)), above(folder_of(bin));
  const std::string configured = is_file(bin + "/pyvenv.cfg") ? bin : is_file(above + "/pyvenv.cfg") ? above : "";
  const auto settings = configured.empty() ? Settings() : settings_of(configured + "/pyvenv.cfg");
  if (const auto home = setting(settings, "home"); !home.empty()) {
    python.virtual_environment = true;
    python.prefix = configured;
    python.base_prefix = std::string(folder_of(home));
  } else {
    python.prefix = python.base_prefix = prefix_of(command.program);
  }
  const auto set_home = command.options.ignores_environment ? std::string() : around.variable("PYTHONHOME");
  if (!set_home.empty()) python.base_prefix = set_home.substr(0, set_home.find(':'));
  read_version(python, settings);
  python.conda = is_folder(python.prefix + "/conda-meta");
  const bool with_system = setting(settings, "include-system-site-packages") == "true";
  add_folders(python, command.options, around, with_system);
  return python;
}

MarkerValues marker_values(const Interpreter& python) {
  utsname system{};
  ::uname(&system);
  const bool is_pypy = python.implementation == "pypy";
  return {{"os_name", "posix"},
          {"sys_platform", python.major == 2 ? "linux2" : "linux"},
          {"platform_system", "Linux"},
          {"platform_machine", system.machine},
          {"platform_release", system.release},
          {"platform_version", system.version},
          {"python_version", fmt::format("{}.{}", python.major, python.minor)},
          {"python_full_version", python.version},
          {"implementation_name", python.implementation},
          {"implementation_version", python.version},
          {"platform_python_implementation", is_pypy ? "PyPy" : "CPython"}};
}

}  // namespace sigwhy::inventory
