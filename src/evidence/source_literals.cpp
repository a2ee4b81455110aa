#include "evidence/source_literals.h"

#include <algorithm>

#include "evidence/secrets.h"

namespace sigwhy {

namespace {

bool is_quote(char c) { return c == '"' || c == '\''; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The ' of 1'000'000 in C++.
bool separates_digits(std::string_view line, std::size_t at) {
  return line[at] == '\'' && at > 0 && is_digit(line[at - 1]) && at + 1 < line.size() && is_digit(line[at + 1]);
}

std::string_view quotes_at(std::string_view line, std::size_t at) {
  const auto three = line.substr(at, 3);
  const bool triple = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
  return line.substr(at, triple ? 3 : 1);
}

// Where the literal that was begun with `quotes` is closed; the line's end where it goes on behind it.
std::size_t end_of_literal(std::string_view line, std::size_t at, std::string_view quotes) {
  while (at < line.size() && !line.substr(at).starts_with(quotes)) at += line[at] == '\\' ? 2 : 1;
  return std::min(at, line.size());
}

}  // namespace

std::string without_literals(std::string_view line, std::set<std::string>& held) {
  std::string safe;
  for (std::size_t at = 0; at < line.size();) {
    if (!is_quote(line[at]) || separates_digits(line, at)) {
      safe += line[at++];
      continue;
    }
    const auto quotes = quotes_at(line, at);
    const auto start = at + quotes.size();
    const auto end = end_of_literal(line, start, quotes);
    if (end > start) held.emplace(line.substr(start, end - start));
    safe.append(quotes).append(end > start ? secrets::blank : "").append(end < line.size() ? quotes : "");
    at = std::min(end + quotes.size(), line.size());
  }
  return safe;
}

std::string without_quoted(std::string_view text, const std::set<std::string>& held) {
  std::string safe;
  for (std::size_t at = 0; at < text.size();) {
    safe += text[at++];
    const char quote = safe.back();
    if (held.empty() || (!is_quote(quote) && quote != '`')) continue;
    const auto end = text.find(quote, at);
    if (end == std::string_view::npos || !held.contains(std::string(text.substr(at, end - at)))) continue;
    safe.append(secrets::blank) += quote;
    at = end + 1;
  }
  return safe;
}

}  // namespace sigwhy
