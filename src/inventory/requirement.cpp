#include "inventory/requirement.h"

#include <algorithm>
#include <cctype>

#include "inventory/files.h"

namespace sigwhy::inventory {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_' || c == '.'; }

struct Scanner {
  std::string_view left;

  void skip_blanks() {
    while (!left.empty() && is_blank(left[0])) left.remove_prefix(1);
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!left.starts_with(word)) return false;
    left.remove_prefix(word.size());
    return true;
  }
  std::string_view take_while(bool (*wanted)(char)) {
    skip_blanks();
    const auto part = left.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(left, wanted) - left.begin()));
    left.remove_prefix(part.size());
    return part;
  }
};

void take_extras(Scanner& in, Requirement& requirement) {
  if (!in.take("[")) return;
  do requirement.extras.push_back(normal_name(in.take_while(is_name_part)));
  while (in.take(","));
  in.take("]");
}

// A url may hold semicolons; its marker stands behind a blank.
std::size_t end_of_demand(std::string_view text) {
  const bool is_url = text.starts_with('@');
  return std::min(is_url ? text.find(" ;") : text.find(';'), text.size());
}

// A marker is `or` over `and` over comparisons. The three parse and evaluate in one go; `broken` is for good.
class Marker {
 public:
  Marker(std::string_view text, const MarkerValues& values, std::string_view extra)
      : in_{text}, values_(values), extra_(extra) {}

  std::optional<bool> evaluate() {
    const bool value = either();
    in_.skip_blanks();
    if (broken_ || !in_.left.empty()) return std::nullopt;
    return value;
  }

 private:
  struct Operand {
    std::string text;
    std::string variable;  // empty: a literal
  };

  bool either() {
    bool value = both();
    while (!broken_ && word("or")) value = both() || value;
    return value;
  }
  bool both() {
    bool value = one();
    while (!broken_ && word("and")) value = one() && value;
    return value;
  }
  bool one() {
    if (in_.take("(")) {
      if (++depth_ > 50) return fail();
      const bool value = either();
      --depth_;
      return in_.take(")") ? value : fail();
    }
    const Operand left = operand();
    const std::string op = operator_word();
    const Operand right = operand();
    return broken_ ? false : compared(left, op, right);
  }
  bool fail() {
    broken_ = true;
    return false;
  }
  bool word(std::string_view wanted) {
    Scanner trial = in_;
    if (!trial.take(wanted) || (!trial.left.empty() && is_name_part(trial.left[0]))) return false;
    in_ = trial;
    return true;
  }
  std::string operator_word() {
    for (const std::string_view op : {"===", "~=", "==", "!=", "<=", ">=", "<", ">"})
      if (in_.take(op)) return std::string(op);
    if (word("in")) return "in";
    if (word("not") && word("in")) return "not in";
    broken_ = true;
    return {};
  }
  Operand operand() {
    in_.skip_blanks();
    if (in_.left.starts_with('"') || in_.left.starts_with('\'')) {
      const auto end = in_.left.find(in_.left[0], 1);
      if (end == in_.left.npos) return fail(), Operand{};
      const std::string text(in_.left.substr(1, end - 1));
      in_.left.remove_prefix(end + 1);
      return {text, {}};
    }
    const std::string name = old_spelling(in_.take_while(is_name_part));
    if (name == "extra") return {std::string(extra_), name};
    const auto found = values_.find(name);
    if (found == values_.end()) return fail(), Operand{};
    return {found->second, name};
  }
  // Setuptools once wrote the names of Python's attributes.
  static std::string old_spelling(std::string_view name) {
    std::string result(name);
    if (result == "python_implementation") return "platform_python_implementation";
    for (const std::string_view module : {"os.", "sys.", "platform."})
      if (result.starts_with(module)) std::ranges::replace(result, '.', '_');
    return result;
  }
  static bool compared(const Operand& left, const std::string& op, const Operand& right) {
    if (left.variable == "extra" || right.variable == "extra") {
      const bool same = normal_name(left.text) == normal_name(right.text);
      return op == "==" ? same : op == "!=" && !same;
    }
    if (op == "in") return right.text.find(left.text) != right.text.npos;
    if (op == "not in") return right.text.find(left.text) == right.text.npos;
    if (const auto specifier = parse_specifier(op + right.text))
      if (const auto version = parse_version(left.text)) return meets(*version, left.text, *specifier);
    if (op == "==" || op == "===") return left.text == right.text;
    if (op == "!=") return left.text != right.text;
    if (op == "<") return left.text < right.text;
    if (op == "<=") return left.text <= right.text;
    if (op == ">") return left.text > right.text;
    return op == ">=" && left.text >= right.text;
  }

  Scanner in_;
  const MarkerValues& values_;
  std::string_view extra_;
  bool broken_ = false;
  int depth_ = 0;
};

}  // namespace

std::string normal_name(std::string_view name) {
  std::string result;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_' || c == '.';
    if (!separator) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!result.ends_with('-')) result += '-';
  }
  return result;
}

std::optional<Requirement> parse_requirement(std::string_view text) {
  Requirement requirement;
  Scanner in{text};
  requirement.name = in.take_while(is_name_part);
  if (requirement.name.empty()) return std::nullopt;
  take_extras(in, requirement);
  in.skip_blanks();
  const auto end = end_of_demand(in.left);
  std::string demand(stripped(in.left.substr(0, end)));
  const auto marker_at = in.left.find(';', end);
  if (marker_at != in.left.npos) requirement.marker = stripped(in.left.substr(marker_at + 1));
  if (demand.starts_with('(') && demand.ends_with(')')) demand = std::string(stripped(std::string_view(demand).substr(1, demand.size() - 2)));
  requirement.wants = requirement.name + (demand.starts_with('@') ? " " : "") + demand;
  if (demand.starts_with('@')) return requirement;
  auto specifiers = parse_specifiers(demand);
  requirement.understood = specifiers.has_value();
  if (specifiers) requirement.specifiers = std::move(*specifiers);
  return requirement;
}

std::optional<bool> marker_holds(std::string_view marker, const MarkerValues& values, std::string_view extra) {
  if (stripped(marker).empty()) return true;
  return Marker(marker, values, extra).evaluate();
}

}  // namespace sigwhy::inventory
