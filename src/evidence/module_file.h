// Files that a failed import points to, among those looked at after the death: how each is known (Input.seen).
#pragma once
#include <string_view>

namespace sigwhy {

inline constexpr std::string_view lies_where_asked = "lies where the module was looked for";
inline constexpr std::string_view found_first = "what an import finds first";
inline constexpr std::string_view installed_too = "installed under the same name";

// 'numpy' of "No module named 'numpy'", with `lead` in front of it; empty: the words are others.
inline std::string_view quoted_behind(std::string_view text, std::string_view lead) {
  const auto at = text.find(lead);
  if (at == std::string_view::npos) return {};
  const auto rest = text.substr(at + lead.size());
  const auto end = rest.find('\'');
  return end == std::string_view::npos ? std::string_view() : rest.substr(0, end);
}

// The module of "module 'numpy' has no attribute 'x'" and of "cannot import name 'x' from 'numpy' (...)".
inline std::string_view module_that_lacks(std::string_view message) {
  if (message.find("has no attribute") != std::string_view::npos) return quoted_behind(message, "module '");
  if (!message.starts_with("cannot import name '")) return {};
  const auto whole = quoted_behind(message, "from '");
  return whole.empty() ? quoted_behind(message, "module '") : whole;
}

}  // namespace sigwhy
