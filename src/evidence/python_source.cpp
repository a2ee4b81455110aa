#include "evidence/python_source.h"

namespace sigwhy {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

std::string_view without_comment(std::string_view line) {
  // A # inside a string cuts too early: then less is said.
  return line.substr(0, line.find('#'));
}

// Stands for itself there: no part of a longer word, no attribute of something else, no keyword argument's name.
bool stands_alone(std::string_view line, std::size_t at, std::size_t size) {
  if (at > 0 && (is_word(line[at - 1]) || line[at - 1] == '.')) return false;
  const auto end = at + size;
  if (end < line.size() && is_word(line[end])) return false;
  const bool keyword = end + 1 < line.size() && line[end] == '=' && line[end + 1] != '=';
  return !keyword;
}

bool is_entered(std::string_view line, std::size_t end) {
  return end < line.size() && (line[end] == '.' || line[end] == '[');
}

bool uses(std::string_view line, std::string_view name, bool whole) {
  for (auto at = line.find(name); at != line.npos; at = line.find(name, at + 1))
    if (stands_alone(line, at, name.size()) && !(whole && is_entered(line, at + name.size()))) return true;
  return false;
}

}  // namespace

bool mentions(std::string_view line, std::string_view name) {
  if (name.empty()) return false;
  line = without_comment(line);
  const auto root = name.substr(0, name.find_first_of(".["));
  return uses(line, name, false) || (root != name && uses(line, root, true));
}

}  // namespace sigwhy
