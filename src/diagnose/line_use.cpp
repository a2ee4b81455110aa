#include "diagnose/line_use.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <optional>

namespace sigwhy::diagnose {

namespace {

constexpr std::string_view blanks = " \t";

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

std::string_view before(std::string_view line, std::size_t at) {
  const auto last = line.substr(0, at).find_last_not_of(blanks);
  return last == std::string_view::npos ? std::string_view() : line.substr(0, last + 1);
}

std::string_view behind(std::string_view line, std::size_t at) {
  const auto first = line.find_first_not_of(blanks, at);
  return first == std::string_view::npos ? std::string_view() : line.substr(first);
}

// Is any place where the name stands alone, not as a part of another, one that `fits`?
bool any_use(std::string_view line, std::string_view name,
             const std::function<bool(std::string_view before, std::string_view behind)>& fits) {
  if (name.empty()) return false;
  for (auto at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
    const auto end = at + name.size();
    if (at > 0 && in_name(line[at - 1])) continue;
    if (end < line.size() && in_name(line[end]) && line[end] != '.') continue;
    if (fits(before(line, at), behind(line, end))) return true;
  }
  return false;
}

bool ends_in(std::string_view text, std::string_view characters) {
  return !text.empty() && characters.find(text.back()) != std::string_view::npos;
}

bool starts_in(std::string_view text, std::string_view characters) {
  return !text.empty() && characters.find(text.front()) != std::string_view::npos;
}

// The bracket that opens the call whose arguments `text` ends in.
std::optional<std::size_t> open_call(std::string_view text) {
  int depth = 0;
  for (auto at = text.size(); at-- > 0;) {
    if (text[at] == ')' || text[at] == ']') ++depth;
    if (text[at] != '(' && text[at] != '[') continue;
    if (depth-- > 0) continue;
    if (text[at] == '[') {
      depth = 0;  // a list written there: what counts is who gets it
      continue;
    }
    return at;
  }
  return std::nullopt;
}

// The function whose arguments `text` ends in: "np.array" of "x = np.array(a, ".
std::string_view enclosing_call(std::string_view text) {
  const auto at = open_call(text);
  if (!at) return {};
  auto start = *at;
  while (start > 0 && in_name(text[start - 1])) --start;
  return text.substr(start, *at - start);
}

bool is_whole(std::string_view front, std::string_view back) {
  return ends_in(front, "(,=[") && (back.empty() || starts_in(back, ",)]#"));
}

// Only an operator between them: " @ ", "-=".
bool is_between_operands(std::string_view text) {
  return !text.empty() && text.find_first_not_of(" \t+-*/@%=<>&|^") == std::string_view::npos;
}

bool hands_on_elements(std::string_view function) {
  constexpr std::array known = {"map", "zip", "filter", "enumerate", "sorted", "reversed", "len", "range", "iter"};
  return std::ranges::find(known, function) != known.end();
}

}  // namespace

bool is_given_whole(std::string_view line, std::string_view name) {
  return any_use(line, name, [](std::string_view front, std::string_view back) {
    return is_whole(front, back) && !hands_on_elements(enclosing_call(front));
  });
}

bool is_operand(std::string_view line, std::string_view name) {
  constexpr std::string_view operators = "+-*/@%&|^<>";
  return any_use(line, name, [&](std::string_view front, std::string_view back) {
    return ends_in(front, operators) || starts_in(back, operators);
  });
}

bool has_member_read(std::string_view line, std::string_view name, std::string_view member) {
  return any_use(line, name, [&](std::string_view, std::string_view back) {
    if (!back.starts_with('.') || !back.substr(1).starts_with(member)) return false;
    const auto rest = back.substr(1 + member.size());
    return rest.empty() || !in_name(rest.front()) || rest.front() == '.';
  });
}

bool may_meet(std::string_view line, std::string_view a, std::string_view b) {
  bool shows_a = false, shows_b = false, meet = false;
  const auto look = [&](std::string_view front_a, std::string_view back_a, std::string_view front_b,
                        std::string_view back_b) {
    const auto end_a = line.size() - back_a.size();
    if (front_b.size() < end_a) return;
    meet = meet || is_between_operands(line.substr(end_a, front_b.size() - end_a));
    if (!is_whole(front_b, back_b)) return;
    const auto call = enclosing_call(front_b);
    meet = meet || (call.starts_with(a) && call.substr(a.size()).starts_with('.'));
    meet = meet || (is_whole(front_a, back_a) && open_call(front_a) && open_call(front_a) == open_call(front_b));
  };
  any_use(line, a, [&](std::string_view front_a, std::string_view back_a) {
    shows_a = true;
    any_use(line, b, [&](std::string_view front_b, std::string_view back_b) {
      shows_b = true;
      look(front_a, back_a, front_b, back_b);
      return false;
    });
    return false;
  });
  return !shows_a || !shows_b || meet;
}

bool sets_element(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos || line.substr(equals).starts_with("==")) return false;
  const auto target = before(line, equals);
  return target.ends_with(']') && target.find('(') == std::string_view::npos;
}

}  // namespace sigwhy::diagnose
