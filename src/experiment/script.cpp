#include "experiment/script.h"

#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <sstream>

namespace sigwhy::experiment {

namespace {

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

void add_name(std::vector<std::string>& names, std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  if (start == text.npos) return;
  text.remove_prefix(start);
  const auto end = std::ranges::find_if_not(text, is_name_part);
  std::string name(text.begin(), end);
  if (!name.empty() && std::ranges::count(names, name) == 0) names.push_back(std::move(name));
}

}  // namespace

std::optional<std::string> script_of(const Recipe& recipe) {
  for (std::size_t i = 1; i < recipe.argv.size(); ++i) {
    const auto& word = recipe.argv[i];
    if (word == "-c" || word == "-m") return std::nullopt;
    if (word == "-X" || word == "-W") {
      ++i;
      continue;
    }
    if (word.starts_with('-')) continue;
    struct stat status {};
    auto path = word.starts_with('/') ? word : recipe.directory + "/" + word;
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
    return path;
  }
  return std::nullopt;
}

std::vector<std::string> imports_of(const std::string& source) {
  std::vector<std::string> names;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("from ")) add_name(names, std::string_view(line).substr(5));
    if (!line.starts_with("import ")) continue;
    std::string_view rest = std::string_view(line).substr(7);
    rest = rest.substr(0, rest.find('#'));
    while (!rest.empty()) {
      const auto comma = std::min(rest.find(','), rest.size());
      add_name(names, rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return names;
}

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

}  // namespace sigwhy::experiment
