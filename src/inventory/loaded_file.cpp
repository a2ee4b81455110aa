#include "inventory/loaded_file.h"

#include <algorithm>
#include <charconv>

#include "native/module_origin.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t tag_length = 8;

bool is_tag(std::string_view text) {
  return text.size() == tag_length &&
         std::ranges::all_of(text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

std::vector<int> numbers_of(std::string_view version) {
  std::vector<int> numbers;
  while (!version.empty()) {
    int number = 0;
    const auto [rest, error] = std::from_chars(version.data(), version.data() + version.size(), number);
    if (error != std::errc{}) return {};
    numbers.push_back(number);
    version.remove_prefix(static_cast<std::size_t>(rest - version.data()));
    if (version.starts_with('.')) version.remove_prefix(1);
  }
  return numbers;
}

}  // namespace

LibraryName library_name(std::string_view path) {
  const auto file = native::base_name(path);
  const auto so = file.find(".so");
  auto stem = file.substr(0, so);
  LibraryName name;
  if (so != std::string_view::npos && file.substr(so).starts_with(".so.")) name.version = file.substr(so + 4);
  if (const auto dot = stem.find('.'); dot != std::string_view::npos) stem = stem.substr(0, dot);
  if (const auto dash = stem.rfind('-'); dash != std::string_view::npos && is_tag(stem.substr(dash + 1)))
    stem = stem.substr(0, dash);
  name.stem = stem;
  return name;
}

std::optional<std::string> highest_version(const LoadedFile& file, std::string_view prefix) {
  std::optional<std::string> best;
  for (const auto& version : file.table.versions()) {
    if (!version.starts_with(prefix)) continue;
    const auto rest = version.substr(prefix.size());
    const auto numbers = numbers_of(rest);
    if (!numbers.empty() && (!best || numbers > numbers_of(*best))) best = rest;
  }
  return best;
}

std::string first_word(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return std::string(text.substr(0, text.find_first_of(" \t,;()")));
}

}  // namespace sigwhy::inventory
