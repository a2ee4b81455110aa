#include "inventory/source_lines.h"

#include <algorithm>
#include <array>

namespace sigwhy::inventory {

namespace {

// Longer than every word of interest.
constexpr std::size_t kept_letters = 10;

bool is_of_interest(std::string_view text) {
  static constexpr std::string_view words[] = {"import", "from", "raise", "if", "elif", "else", "try", "except", "finally",
                                               "for",    "while", "with", "def", "class", "async"};
  const auto first = std::min(text.find_first_not_of(" \t\r"), text.size());
  const auto end = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz", first), text.size());
  return std::ranges::find(words, text.substr(first, end - first)) != std::end(words);
}

// Characters that mean something to the cutting; all others are taken in one go.
constexpr std::string_view meaningful = "#\"'\\\n;()[]{}";
constexpr auto is_meaningful = [] {
  std::array<bool, 256> table{};
  for (const char c : meaningful) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

class Cutter {
 public:
  Cutter(std::string_view source, bool all) : source_(source), all_(all) {
    if (source_.starts_with("\xef\xbb\xbf")) source_.remove_prefix(3);
  }

  std::vector<SourceLine> cut() {
    while (at_ < source_.size()) step();
    end_line();
    return std::move(lines_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void step() {
    const char c = peek();
    if (at_line_start_) take_indent();
    else if (c == '#') skip_comment();
    else if (c == '"' || c == '\'') skip_string();
    else if (c == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) join_lines();
    else if (c == '\n') take_line_end();
    else if (c == ';' && depth_ == 0) part_line();
    else if (is_meaningful[static_cast<unsigned char>(c)]) take_bracket(c);
    else take_plain();
  }

  void take_indent() {
    int column = 0;
    for (; peek() == ' ' || peek() == '\t' || peek() == '\f'; ++at_) column = peek() == '\t' ? (column / 8 + 1) * 8 : column + 1;
    at_line_start_ = false;
    line_.indent = column;
    line_.number = number_;
  }
  void skip_comment() { at_ = std::min(source_.find('\n', at_), source_.size()); }
  void join_lines() {
    at_ = source_.find('\n', at_) + 1;
    ++number_;
    keep(" ");
  }
  void take_line_end() {
    ++at_;
    ++number_;
    if (depth_ > 0) {
      keep(" ");
      return;
    }
    end_line();
  }
  void end_line() {
    push();
    line_ = {};
    at_line_start_ = true;
  }
  void part_line() {
    ++at_;
    push();
    line_ = {.indent = line_.indent, .number = number_, .same = true};
  }
  void push() {
    const auto first = line_.text.find_first_not_of(" \t\r");
    if (first == line_.text.npos) return;
    line_.text.erase(0, first);
    line_.text.erase(line_.text.find_last_not_of(" \t\r") + 1);
    lines_.push_back(line_);
  }
  void take_bracket(char c) {
    if (c == '(' || c == '[' || c == '{') ++depth_;
    if (c == ')' || c == ']' || c == '}') depth_ = std::max(0, depth_ - 1);
    keep(source_.substr(at_++, 1));
  }
  void take_plain() {
    const auto from = at_;
    while (at_ < source_.size() && !is_meaningful[static_cast<unsigned char>(source_[at_])]) ++at_;
    keep(source_.substr(from, at_ - from));
  }
  void keep(std::string_view text) {
    if (all_ || line_.text.size() < kept_letters || is_of_interest(line_.text)) line_.text.append(text);
    if (!all_ && line_.text.size() > kept_letters && !is_of_interest(line_.text)) line_.text.resize(kept_letters);
  }
  // The prefix (r, b, u, f) stays as a name before the empty string. In a raw string a backslash keeps the quote, too.
  void skip_string() {
    const char quote = peek();
    const bool is_long = peek(1) == quote && peek(2) == quote;
    at_ += is_long ? 3 : 1;
    keep("\"\"");
    while (at_ < source_.size()) {
      const char c = peek();
      if (c == '\n') {
        if (!is_long) return;  // not closed: a mistake of the source, the line ends here
        ++number_;
      }
      if (c == '\\') {
        if (peek(1) == '\n') ++number_;
        at_ = std::min(at_ + 2, source_.size());
        continue;
      }
      ++at_;
      if (c != quote) continue;
      if (!is_long) return;
      if (peek() == quote && peek(1) == quote) {
        at_ += 2;
        return;
      }
    }
  }

  std::string_view source_;
  bool all_;
  std::size_t at_ = 0;
  int number_ = 1;
  int depth_ = 0;
  bool at_line_start_ = true;
  SourceLine line_;
  std::vector<SourceLine> lines_;
};

}  // namespace

std::vector<SourceLine> source_lines(std::string_view source, bool all) { return Cutter(source, all).cut(); }

}  // namespace sigwhy::inventory
