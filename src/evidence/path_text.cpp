#include "evidence/path_text.h"

#include <algorithm>

namespace sigwhy {

namespace {

constexpr std::size_t longest_path = 300, longest_ending = 12;

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

}  // namespace

bool looks_like_path(std::string_view text) {
  if (text.empty() || text.size() > longest_path || text.find("://") != std::string_view::npos) return false;
  if (text.find_first_of("\n\t{}*?<>|\"") != std::string_view::npos) return false;
  if (text.starts_with('/') && text.size() > 1) return true;
  const auto dot = text.rfind('.');
  if (dot == std::string_view::npos || dot == 0 || dot + 1 == text.size()) return false;
  const auto ending = text.substr(dot + 1);
  const bool letters = std::ranges::any_of(ending, [](char c) { return is_plain(c) && (c < '0' || c > '9'); });
  return letters && ending.size() <= longest_ending && std::ranges::all_of(ending, is_plain);
}

std::optional<std::string> text_in(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  const auto first = text->find_first_of("'\"");
  if (first == std::string::npos) return std::nullopt;
  const auto last = text->rfind((*text)[first]);
  if (last <= first) return std::nullopt;
  return text->substr(first + 1, last - first - 1);
}

std::optional<std::string> path_in(const std::optional<std::string>& text) {
  auto path = text_in(text);
  return path && looks_like_path(*path) ? path : std::nullopt;
}

}  // namespace sigwhy
