#include "evidence/adding_line.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace sigwhy {

namespace {

constexpr std::size_t longest_text = 160;

struct Line {
  std::size_t indent = 0;
  std::string_view text;  // trimmed, empty for blanks and comments
};

bool in_name(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// "forgot acc.clear()" clears nothing.
std::string_view without_comment(std::string_view text) {
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quote && text[i] == '\\') ++i;
    else if (quote) quote = text[i] == quote ? '\0' : quote;
    else if (text[i] == '"' || text[i] == '\'') quote = text[i];
    else if (text[i] == '#') return text.substr(0, i);
  }
  return text;
}

std::vector<Line> lines_of(std::string_view source) {
  std::vector<Line> lines;
  while (!source.empty()) {
    const auto end = std::min(source.find('\n'), source.size());
    auto text = without_comment(source.substr(0, end));
    source.remove_prefix(std::min(source.size(), end + 1));
    const auto start = std::min(text.find_first_not_of(" \t"), text.size());
    text.remove_prefix(start);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\r' || text.back() == '\t')) text.remove_suffix(1);
    lines.push_back({start, text});
  }
  return lines;
}

// The name as an expression of its own: `history`, not `old_history` and not `self.history`. An attribute's owner does
// not matter.
struct Name {
  std::string_view last;
  bool attribute = false;
};

// Where the name ends on the line, and where the expression it belongs to starts; from `from` on.
struct Use {
  std::size_t start = 0, end = 0;
};

std::optional<Use> next_use(std::string_view text, const Name& name, std::size_t from) {
  for (auto at = text.find(name.last, from); at != text.npos; at = text.find(name.last, at + 1)) {
    const auto end = at + name.last.size();
    const char before = at > 0 ? text[at - 1] : '\0';
    if (in_name(before) || (end < text.size() && in_name(text[end])) || (before == '.') != name.attribute) continue;
    auto start = at;
    while (start > 0 && (in_name(text[start - 1]) || text[start - 1] == '.')) --start;
    return Use{start, end};
  }
  return std::nullopt;
}

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return text.starts_with(start); });
}

std::string_view without_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

bool is_assignment(std::string_view rest) { return rest.starts_with('=') && !rest.starts_with("=="); }

// Behind `cache`: "[key] = value".
bool assigns_item(std::string_view rest) {
  if (!rest.starts_with('[')) return false;
  int depth = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    depth += rest[i] == '[' ? 1 : rest[i] == ']' ? -1 : 0;
    if (depth > 0) continue;
    rest = without_blanks(rest.substr(i + 1));
    return is_assignment(rest) || starts_with_any(rest, {".append(", ".extend(", ".add("});
  }
  return false;
}

// `np.concatenate([table, rows])`: what is called puts what it is given one behind the other.
bool joins(std::string_view call) {
  call = call.substr(0, call.find('('));
  if (const auto dot = call.rfind('.'); dot != call.npos) call.remove_prefix(dot + 1);
  constexpr std::array names = {"concatenate", "append", "vstack", "hstack", "concat", "cat"};
  return std::ranges::find(names, call) != names.end();
}

// `total = total + loss`, `table = np.append(table, row)`, and nothing fresh.
bool is_sum_of_itself(std::string_view rest, const Name& name) {
  const auto value = without_blanks(rest.substr(1));
  const auto use = next_use(value, name, 0);
  if (!use) return false;
  const auto behind = without_blanks(value.substr(use->end)), before = value.substr(0, use->start);
  return behind.starts_with('+') || before.ends_with("+ ") || before.ends_with('+') ||
         (before.find('(') != before.npos && joins(value));
}

enum class Doing { nothing, adds, makes, empties };

Doing doing(std::string_view text, const Name& name) {
  auto found = Doing::nothing;
  for (auto use = next_use(text, name, 0); use; use = next_use(text, name, use->end)) {
    const auto rest = without_blanks(text.substr(use->end));
    const bool first = use->start == 0;
    if (starts_with_any(rest, {".clear(", ".pop(", ".popleft(", ".popitem(", ".remove("})) return Doing::empties;
    if (text.starts_with("del ") && use->start == 4) return Doing::empties;
    if (starts_with_any(rest, {".append(", ".extend(", ".add(", ".insert(", ".appendleft(", ".setdefault(", ".update("}) ||
        rest.starts_with("+=") || assigns_item(rest))
      found = Doing::adds;
    else if (is_assignment(rest) && first) return is_sum_of_itself(rest, name) ? Doing::adds : Doing::makes;
  }
  return found;
}

bool is_loop(std::string_view text) { return starts_with_any(text, {"for ", "while ", "async for "}); }
bool is_branch(std::string_view text) { return starts_with_any(text, {"if ", "elif ", "else:", "try:", "except"}) && text.ends_with(':'); }
bool is_function(std::string_view text) { return starts_with_any(text, {"def ", "async def "}); }

// The line that this one is indented under.
std::optional<std::size_t> outer(const std::vector<Line>& lines, std::size_t at) {
  for (std::size_t i = at; i-- > 0;)
    if (!lines[i].text.empty() && lines[i].indent < lines[at].indent) return i;
  return std::nullopt;
}

bool block_has(const std::vector<Line>& lines, std::size_t head, const Name& name, Doing wanted) {
  for (std::size_t i = head + 1; i < lines.size(); ++i) {
    if (lines[i].text.empty()) continue;
    if (lines[i].indent <= lines[head].indent) break;
    if (doing(lines[i].text, name) == wanted) return true;
  }
  return false;
}

bool stays(const std::vector<Line>& lines, std::size_t head, const Name& name) {
  return !block_has(lines, head, name, Doing::makes) && !block_has(lines, head, name, Doing::empties);
}

bool repeats(const std::vector<Line>& lines, std::size_t at, const Name& name) {
  if (is_loop(lines[at].text)) return true;
  for (auto head = outer(lines, at); head; head = outer(lines, *head)) {
    const auto text = lines[*head].text;
    if (is_loop(text)) return stays(lines, *head, name);
    if (is_function(text)) return stays(lines, *head, name);
  }
  return false;
}

// `batch = make(step)`: a name that gets a value which does not come from what it was before.
bool makes_a_value(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && in_name(text[end])) ++end;
  const auto rest = without_blanks(text.substr(end));
  return end > 0 && is_assignment(rest) && !next_use(rest, {text.substr(0, end)}, 0);
}

bool only_fills(const std::vector<Line>& lines, std::size_t at, std::optional<std::size_t> head) {
  if (!head || !starts_with_any(lines[*head].text, {"for ", "async for "})) return false;
  for (std::size_t i = *head + 1; i < lines.size(); ++i) {
    if (lines[i].text.empty()) continue;
    if (lines[i].indent <= lines[*head].indent) break;
    if (i != at && !makes_a_value(lines[i].text) && !is_branch(lines[i].text)) return false;
  }
  return true;
}

// The loop that it stands in, within its function.
std::optional<std::size_t> loop_around(const std::vector<Line>& lines, std::size_t at) {
  for (std::optional head = at; head; head = outer(lines, *head)) {
    if (is_loop(lines[*head].text)) return head;
    if (is_function(lines[*head].text)) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::optional<AddingLine> line_at(std::string_view source, int number) {
  const auto lines = lines_of(source);
  const auto at = static_cast<std::size_t>(number) - 1;
  if (number < 1 || at >= lines.size() || lines[at].text.empty()) return std::nullopt;
  const auto loop = loop_around(lines, at);
  return AddingLine{.name = "", .file = "", .line = number, .text = std::string(lines[at].text.substr(0, longest_text)),
                    .repeats = loop.has_value(), .only_fills = only_fills(lines, at, loop)};
}

std::optional<AddingLine> line_adding_to(std::string_view source, std::string_view path) {
  path = path.substr(0, path.find('['));
  const auto dot = path.rfind('.');
  const Name name{dot == path.npos ? path : path.substr(dot + 1), dot != path.npos};
  if (name.last.empty() || !in_name(name.last.front())) return std::nullopt;
  const auto lines = lines_of(source);
  std::optional<AddingLine> best;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (doing(lines[i].text, name) != Doing::adds) continue;
    AddingLine found{.name = std::string(path), .line = static_cast<int>(i) + 1, .repeats = repeats(lines, i, name)};
    found.only_fills = only_fills(lines, i, is_loop(lines[i].text) ? i : outer(lines, i));
    found.text = std::string(lines[i].text.substr(0, longest_text));
    if (!best || (found.repeats && !best->repeats)) best = std::move(found);
  }
  return best;
}

}  // namespace sigwhy
