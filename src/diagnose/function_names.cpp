#include "diagnose/function_names.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace sigwhy::diagnose {

namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// "operator<", "operator->", "operator()": their brackets are names, not groups.
bool ends_with_operator(std::string_view text) {
  constexpr std::string_view word = "operator";
  if (!text.ends_with(word)) return false;
  return text.size() == word.size() || !is_word(text[text.size() - word.size() - 1]);
}

std::size_t operator_sign_length(std::string_view rest) {
  constexpr std::array signs = {"()", "[]", "<<=", ">>=", "->*", "<=>", "<<", ">>", "<=", ">=", "->", "<", ">"};
  for (const std::string_view sign : signs)
    if (rest.starts_with(sign)) return sign.size();
  return 0;
}

char closing(char open) {
  switch (open) {
    case '<': return '>';
    case '(': return ')';
    case '{': return '}';
    case '[': return ']';
    default: return 0;
  }
}

// One past the bracket that closes the group opened at `from`; the end of the text where none does.
std::size_t group_end(std::string_view text, std::size_t from) {
  const char open = text[from], close = closing(open);
  std::size_t depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == open) ++depth;
    if (text[i] == close && !(close == '>' && i > 0 && text[i - 1] == '-') && --depth == 0) return i + 1;
  }
  return text.size();
}

// A namespace without a name is of no use to a reader: sum_loss(), not {anonymous}::sum_loss().
bool is_anonymous_scope(std::string_view group, std::string_view rest) {
  return (group.starts_with("(anonymous namespace)") || group.starts_with("{anonymous")) && rest.starts_with("::");
}

// What stays of a bracketed group: nothing, but scopes without a name need a word.
std::string_view group_word(std::string_view group) {
  if (group.starts_with("{lambda")) return "{lambda}";
  if (group.starts_with("{unnamed")) return "{unnamed}";
  return {};
}

std::string without_groups(std::string_view symbol) {
  std::string out;
  for (std::size_t i = 0; i < symbol.size();) {
    if (ends_with_operator(out)) {
      if (const auto length = operator_sign_length(symbol.substr(i))) {
        out += symbol.substr(i, length);
        i += length;
        continue;
      }
    }
    if (closing(symbol[i])) {
      const auto end = group_end(symbol, i);
      const auto group = symbol.substr(i, end - i);
      out += group_word(group);
      i = is_anonymous_scope(group, symbol.substr(end)) ? end + 2 : end;
    } else {
      out += symbol[i++];
    }
  }
  return out;
}

// "f() const::{lambda}": the qualifier of an enclosing function is no return type.
void drop_inner_qualifiers(std::string& text) {
  for (const std::string_view word : {" const::", " volatile::", " &&::", " &::"})
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word)) text.erase(at, word.size() - 2);
}

void cut_at(std::string& text, std::string_view mark) {
  if (const auto at = text.find(mark); at != std::string::npos && at > 0) text.resize(at);
}

void drop_qualifiers(std::string& text) {
  for (bool again = true; again;) {
    again = false;
    for (const std::string_view tail : {" const", " volatile", " &&", " &", " "})
      if (text.ends_with(tail)) text.resize(text.size() - tail.size()), again = true;
  }
}

// Template instances carry their return type in front; "operator new" and conversions keep their space.
void drop_return_type(std::string& text) {
  const auto limit = std::min(text.find("operator "), text.size());
  const auto space = std::string_view(text).substr(0, limit).rfind(' ');
  if (space != std::string_view::npos) text.erase(0, space + 1);
}

}  // namespace

std::string bare_name(std::string_view symbol) {
  constexpr std::size_t longest = 64 * 1024;  // names come from hostile files
  symbol = symbol.substr(0, longest);
  std::string text = without_groups(symbol);
  cut_at(text, "@");
  drop_inner_qualifiers(text);
  drop_qualifiers(text);
  drop_return_type(text);
  for (const std::string_view suffix : {".isra.", ".part.", ".constprop.", ".cold", ".llvm.", ".lto_priv."})
    cut_at(text, suffix);
  return text;
}

std::string inner_name(std::string_view symbol) {
  const auto lambda = symbol.find("{lambda");
  const auto list = symbol.find('<');
  if (lambda == std::string_view::npos || list > lambda) return bare_name(symbol);
  std::size_t from = lambda;
  for (int depth = 0; from > list + 1; --from) {
    const char c = symbol[from - 1];
    if (c == ')' || c == '>') ++depth;
    if (c == '(' || c == '<') --depth;
    if (depth < 0 || (depth == 0 && c == ',')) break;
  }
  return bare_name(symbol.substr(from, group_end(symbol, lambda) - from));
}

std::string shown_name(std::string_view symbol, std::size_t columns) {
  std::string text = bare_name(symbol);
  const std::size_t room = columns > 8 ? columns - 2 : 6;
  while (text.size() > room) {
    const auto scope = text.find("::");
    if (scope == std::string::npos) break;
    text.erase(0, scope + 2);
  }
  if (text.size() > room) text = text.substr(0, room - 3) + "...";
  return text + "()";
}

}  // namespace sigwhy::diagnose
