#include "inventory/command.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "inventory/files.h"

namespace sigwhy::inventory {

namespace {

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// "python", "python3", "python3.11", "python3.13t", "pypy3".
bool is_python_name(std::string_view name) {
  for (const std::string_view begin : {"python", "pypy"})
    if (name.starts_with(begin))
      return std::ranges::all_of(name.substr(begin.size()),
                                 [](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '.' || c == 't' || c == 'd'; });
  return false;
}

std::string on_path(const std::string& name, const Surroundings& around, std::string_view but_not = {}) {
  for (const auto& folder : parts_of(around.variable("PATH"), ":")) {
    if (folder == but_not) continue;
    const auto path = joined(joined(around.directory, folder), name);
    if (is_program(path)) return path;
  }
  return {};
}

// Which versions pyenv would choose, in its order: the shell's, the folder's, the global ones.
std::vector<std::string> pyenv_versions(const std::string& root, const Surroundings& around) {
  if (const auto chosen = around.variable("PYENV_VERSION"); !chosen.empty()) return parts_of(chosen, ":");
  for (std::string folder = around.directory; !folder.empty(); folder = folder == "/" ? "" : std::string(folder_of(folder)))
    if (const auto text = read_text(joined(folder, ".python-version"))) return parts_of(*text, " \t\r\n:");
  if (const auto text = read_text(root + "/version")) return parts_of(*text, " \t\r\n:");
  return {"system"};
}

// "3.11" stands for the newest 3.11.x that is installed.
std::string pyenv_folder(const std::string& root, const std::string& version) {
  const auto exact = root + "/versions/" + version;
  if (is_folder(exact)) return exact;
  std::string newest;
  int newest_patch = -1;
  for (const auto& name : Listings().names(root + "/versions")) {
    if (!name.starts_with(version + ".")) continue;
    const auto rest = name.substr(version.size() + 1);
    if (rest.empty() || rest.size() > 6 || !std::ranges::all_of(rest, [](unsigned char c) { return std::isdigit(c); })) continue;
    if (std::stoi(rest) <= newest_patch) continue;
    newest_patch = std::stoi(rest);
    newest = root + "/versions/" + name;
  }
  return newest;
}

std::string through_shim(const std::string& shim, const Surroundings& around) {
  const std::string folder(folder_of(shim)), name(name_of(shim));
  if (name_of(folder) != "shims") return shim;
  const auto text = read_text(shim, 4096);
  if (!text || !text->starts_with("#!") || text->find("pyenv") == text->npos) return shim;
  const std::string root(folder_of(folder));
  for (const auto& version : pyenv_versions(root, around)) {
    const auto path = version == "system" ? on_path(name, around, folder) : pyenv_folder(root, version) + "/bin/" + name;
    if (is_program(path)) return path;
  }
  return {};
}

// The interpreter of a "#!" line, where it is a Python; empty: another, or none.
std::string python_of_first_line(const std::string& file, const Surroundings& around) {
  const auto text = read_text(file, 4096);
  if (!text || !text->starts_with("#!")) return {};
  auto words = parts_of(std::string_view(*text).substr(2, text->find('\n') - 2), " \t\r");
  if (!words.empty() && name_of(words[0]) == "env") {
    words.erase(words.begin());
    std::erase_if(words, [](const std::string& w) { return w.starts_with('-'); });
  }
  // Installers of long paths write: #!/bin/sh, then '''exec' /path/python "$0" "$@"
  if (!words.empty() && name_of(words[0]) == "sh")
    if (const auto exec = text->find("'''exec' "); exec != text->npos) words = parts_of(text->substr(exec + 9, 1024), " \n\"");
  if (words.empty() || !is_python_name(name_of(words[0]))) return {};
  return find_program(words[0], around);
}

// Takes Python's own options; what follows them is the script, the module or the code.
void take_python_words(PlannedCommand& plan, std::size_t at) {
  auto& o = plan.options;
  const auto& words = plan.words;
  const auto rest_from = [&](std::size_t i) { plan.operands.assign(words.begin() + static_cast<std::ptrdiff_t>(std::min(i, words.size())), words.end()); };
  for (; at < words.size(); ++at) {
    const std::string& word = words[at];
    if (word == "-" || !word.starts_with('-')) break;
    if (word.starts_with("--")) {
      if (word == "--check-hash-based-pycs") ++at;
      continue;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
      const char c = word[i];
      if (c == 'c' || c == 'm') {
        const bool attached = i + 1 < word.size();
        (c == 'c' ? plan.code : plan.module) = attached ? word.substr(i + 1) : at + 1 < words.size() ? words[at + 1] : "";
        return rest_from(at + (attached ? 1 : 2));
      }
      if (c == 'W' || c == 'X') {
        if (i + 1 == word.size()) ++at;
        break;
      }
      if (c == 'I') o = {true, true, true, o.without_site, true};
      if (c == 'E') o.ignores_environment = true;
      if (c == 's') o.without_user_site = true;
      if (c == 'S') o.without_site = true;
      if (c == 'P') o.without_script_folder = true;
    }
  }
  if (at >= words.size() || words[at] == "-") {
    plan.from_input = true;
    return;
  }
  plan.script = words[at];
  rest_from(at + 1);
}

bool is_assignment(const std::string& word) {
  const auto equals = word.find('=');
  return equals != word.npos && equals > 0 &&
         std::ranges::all_of(word.substr(0, equals), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

}  // namespace

Surroundings Surroundings::of_this_process() {
  Surroundings around;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (const auto equals = text.find('='); equals != text.npos) around.environment.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  std::error_code error;
  around.directory = std::filesystem::current_path(error).string();
  return around;
}

std::string Surroundings::variable(std::string_view name) const {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

std::string find_program(const std::string& word, const Surroundings& around) {
  if (word.empty()) return {};
  if (word.find('/') != word.npos) {
    const auto path = joined(around.directory, word);
    return is_program(path) ? through_shim(path, around) : std::string();
  }
  const auto path = on_path(word, around);
  return path.empty() ? path : through_shim(path, around);
}

PlannedCommand plan_command(std::vector<std::string> words, const Surroundings& given) {
  Surroundings around = given;
  PlannedCommand plan;
  plan.words = std::move(words);
  if (plan.words.empty()) {
    plan.from_input = true;
    for (const std::string name : {"python", "python3"})
      if (plan.program.empty()) plan.program = find_program(plan.wanted = name, around);
    plan.is_python = !plan.program.empty();
    return plan;
  }
  for (std::size_t i = 0; i < plan.words.size(); ++i) {
    const auto& word = plan.words[i];
    if (is_assignment(word) && word.starts_with("PATH=")) around.environment["PATH"] = word.substr(5);
    if (!is_python_name(name_of(word))) continue;
    plan.wanted = word;
    plan.program = find_program(word, around);
    plan.is_python = true;
    take_python_words(plan, i + 1);
    break;
  }
  if (!plan.is_python) {
    plan.wanted = plan.words[0];
    plan.program = find_program(plan.wanted, around);
    if (const auto python = python_of_first_line(plan.program, around); !python.empty()) {
      plan.script = plan.program;
      plan.program = python;
      plan.is_python = true;
      plan.operands.assign(plan.words.begin() + 1, plan.words.end());
    }
  }
  if (!plan.script.empty()) plan.script = joined(around.directory, plan.script);
  return plan;
}

std::string launched_script(const PlannedCommand& command, const Surroundings& around) {
  for (const auto& word : command.operands)
    if (word.ends_with(".py") && is_file(joined(around.directory, word))) return joined(around.directory, word);
  return {};
}

}  // namespace sigwhy::inventory
