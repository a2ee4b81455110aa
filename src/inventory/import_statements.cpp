#include "inventory/import_statements.h"

#include <algorithm>
#include <cctype>

#include "inventory/files.h"
#include "inventory/source_lines.h"

namespace sigwhy::inventory {

namespace {

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

std::string_view first_word(std::string_view text) {
  return text.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(text, is_name_part) - text.begin()));
}

std::string_view behind_word(std::string_view text) { return stripped(text.substr(first_word(text).size())); }

// Where the colon stands that opens the block; npos: none does.
std::size_t block_colon(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ')' || text[i] == ']' || text[i] == '}') --depth;
    if (text[i] == ':' && depth == 0 && !(i + 1 < text.size() && text[i + 1] == '=') && text.substr(0, i).find("lambda") == text.npos) return i;
  }
  return text.npos;
}

bool opens_block(std::string_view word) {
  static constexpr std::string_view words[] = {"if", "elif", "else", "try", "except", "finally", "for", "while", "with", "def", "class", "async"};
  return std::ranges::find(words, word) != std::end(words);
}

// Names, dots and a star, up to a comma or an `as`.
std::string dotted_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (is_name_part(c) || c == '.' || c == '*') name += c;
    else if (!name.empty() || c != ' ') break;
  }
  return name;
}

std::vector<std::string> listed_names(std::string_view text) {
  std::vector<std::string> names;
  std::string cleaned(text);
  std::erase_if(cleaned, [](char c) { return c == '(' || c == ')'; });
  std::string_view left = cleaned;
  while (!left.empty()) {
    const auto end = std::min(left.find(','), left.size());
    if (auto name = dotted_name(stripped(left.substr(0, end))); !name.empty()) names.push_back(std::move(name));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return names;
}

void read_statement(std::string_view text, int line, Reached reached, std::vector<ImportStatement>& found) {
  const auto word = first_word(text);
  if (word == "import") {
    for (auto& module : listed_names(behind_word(text))) found.push_back({std::move(module), 0, {}, line, reached});
    return;
  }
  if (word != "from") return;
  auto rest = behind_word(text);
  ImportStatement statement{.line = line, .reached = reached};
  for (; rest.starts_with('.') || rest.starts_with(' '); rest.remove_prefix(1)) statement.dots += rest[0] == '.';
  // "from . import a" has no module: the word itself is the keyword.
  statement.module = first_word(rest) == "import" ? "" : dotted_name(rest);
  rest = stripped(rest.substr(statement.module.size()));
  if (first_word(rest) != "import" || (statement.module.empty() && statement.dots == 0)) return;
  if (statement.module == "__future__") return;
  statement.names = listed_names(behind_word(rest));
  found.push_back(std::move(statement));
}

// Walks the lines with the blocks around them.
class Reader {
 public:
  explicit Reader(std::vector<SourceLine> lines) : lines_(std::move(lines)) {}

  std::vector<ImportStatement> read() {
    for (std::size_t i = 0; i < lines_.size(); ++i) read_line(i);
    return std::move(found_);
  }

 private:
  struct Block {
    int indent;
    Reached inside;
    bool never = false;
  };

  void read_line(std::size_t i) {
    const auto& line = lines_[i];
    if (!line.same)
      while (!blocks_.empty() && line.indent <= blocks_.back().indent) blocks_.pop_back();
    std::string_view text = line.text;
    const auto word = first_word(text);
    if (!opens_block(word)) return take(text, line.number);
    const auto colon = block_colon(text);
    if (colon == text.npos) return;
    Block block{line.indent, inside_of(word, text.substr(0, colon), i)};
    block.never = is_never(word, text.substr(0, colon));
    blocks_.push_back(block);
    // "try: import a" has its block on the same line; the lines of a block below it come with more indentation.
    if (const auto same_line = stripped(text.substr(colon + 1)); !same_line.empty()) take(same_line, line.number);
  }

  void take(std::string_view text, int line) {
    if (std::ranges::any_of(blocks_, &Block::never)) return;
    Reached reached = Reached::certain;
    for (const auto& block : blocks_) reached = worse(reached, block.inside);
    read_statement(text, line, reached, found_);
  }

  // certain < main_only < tried < perhaps < later
  static Reached worse(Reached a, Reached b) {
    const auto rank = [](Reached r) { return r == Reached::certain ? 0 : r == Reached::main_only ? 1 : r == Reached::tried ? 2 : r == Reached::perhaps ? 3 : 4; };
    return rank(a) >= rank(b) ? a : b;
  }

  static bool is_never(std::string_view word, std::string_view head) {
    if (word != "if" && word != "elif") return false;
    const auto condition = behind_word(head);
    return condition == "TYPE_CHECKING" || condition.ends_with(".TYPE_CHECKING") || condition == "False" || condition == "0";
  }

  Reached inside_of(std::string_view word, std::string_view head, std::size_t i) const {
    if (word == "def" || (word == "async" && head.find("def ") != head.npos)) return Reached::later;
    if (word == "class" || word == "finally") return Reached::certain;
    if (word == "with") return head.find("suppress") == head.npos && head.find("raises") == head.npos ? Reached::certain : Reached::tried;
    if (word == "try") return failure_passes(i) ? Reached::certain : Reached::tried;
    if (word == "if" && head.find("__name__") != head.npos && head.find("==") != head.npos) return Reached::main_only;
    return Reached::perhaps;
  }

  // Whether an ImportError in the `try` at line i goes on upwards: no handler takes it, or each that does raises again.
  bool failure_passes(std::size_t i) const {
    const int indent = lines_[i].indent;
    for (std::size_t k = i + 1; k < lines_.size(); ++k) {
      if (lines_[k].same || lines_[k].indent > indent) continue;
      const auto word = first_word(lines_[k].text);
      if (lines_[k].indent < indent || (word != "except" && word != "else" && word != "finally")) return true;
      if (word == "except" && takes_import_error(lines_[k].text) && !raises_again(k)) return false;
    }
    return true;
  }

  static bool takes_import_error(std::string_view text) {
    const auto colon = block_colon(text);
    const auto what = behind_word(text.substr(0, colon));
    if (what.empty()) return true;
    for (const std::string_view name : {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})
      if (what.find(name) != what.npos) return true;
    // A name of its own, or a tuple kept in a variable, may be anything.
    return what.find("Error") == what.npos && what.find("Exception") == what.npos && what.find("Warning") == what.npos;
  }

  bool raises_again(std::size_t handler) const {
    const int indent = lines_[handler].indent;
    const auto colon = block_colon(lines_[handler].text);
    if (colon != std::string::npos && first_word(stripped(std::string_view(lines_[handler].text).substr(colon + 1))) == "raise") return true;
    int inner = -1;
    for (std::size_t k = handler + 1; k < lines_.size() && (lines_[k].same || lines_[k].indent > indent); ++k) {
      if (inner < 0) inner = lines_[k].indent;
      if (lines_[k].indent == inner && first_word(lines_[k].text) == "raise") return true;
    }
    return false;
  }

  std::vector<SourceLine> lines_;
  std::vector<Block> blocks_;
  std::vector<ImportStatement> found_;
};

}  // namespace

std::vector<ImportStatement> import_statements(std::string_view source) { return Reader(source_lines(source, false)).read(); }

std::string without_texts(std::string_view source) {
  std::string text;
  for (const auto& line : source_lines(source, true)) text += line.text + "\n";
  return text;
}

}  // namespace sigwhy::inventory
