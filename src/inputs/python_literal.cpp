#include "inputs/python_literal.h"

#include <charconv>

namespace sigwhy::inputs {

namespace {

using Kind = Literal::Kind;

constexpr int deepest = 16;
constexpr std::size_t most_values = 100'000;
constexpr std::string_view blanks = " \t\r\n\f";

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Literal whole() {
    auto value = read(0);
    if (value.is(Kind::wrong)) return value;
    skip();
    return at_ < text_.size() ? wrong("something follows it") : value;
  }

 private:
  Literal wrong(const char* why) const { return {.at = at_, .end = at_, .text = why}; }
  void skip() { at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size()); }
  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  Literal read(int depth) {
    skip();
    if (depth > deepest || ++values_ > most_values) return wrong("it is too large");
    const char c = here();
    if (c == '{') return collection(Kind::dict, '}', depth);
    if (c == '[') return collection(Kind::list, ']', depth);
    if (c == '(') return collection(Kind::tuple, ')', depth);
    if (c == '\'' || c == '"') return string();
    if (c >= '0' && c <= '9') return number();
    return word();
  }

  Literal collection(Kind kind, char close, int depth) {
    Literal value{.kind = kind, .at = at_++};
    while (true) {
      skip();
      if (here() == close) break;
      for (const bool is_key : {true, false}) {
        if (!is_key && kind != Kind::dict) continue;
        auto item = read(depth + 1);
        if (item.is(Kind::wrong)) return item;
        value.items.push_back(std::move(item));
        skip();
        if (is_key && kind == Kind::dict && here() != ':') return wrong("a colon is missing");
        if (is_key && kind == Kind::dict) ++at_;
      }
      if (here() == close) break;
      if (here() != ',') return wrong("a comma is missing");
      ++at_;
    }
    value.end = ++at_;
    return value;
  }

  Literal string() {
    Literal value{.kind = Kind::text, .at = at_};
    const char quote = text_[at_++];
    while (here() != quote) {
      if (at_ >= text_.size()) return wrong("a text has no end");
      if (here() == '\\') ++at_;
      if (at_ >= text_.size()) return wrong("a text has no end");
      value.text += text_[at_++];
    }
    value.end = ++at_;
    return value;
  }

  Literal number() {
    Literal value{.kind = Kind::number, .at = at_};
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value.number);
    if (error != std::errc()) return wrong("a number is too large");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (here() == 'L') ++at_;  // Python 2's longs
    value.end = at_;
    return value;
  }

  Literal word() {
    for (const std::string_view known : {"True", "False", "None"})
      if (text_.substr(at_).starts_with(known)) {
        Literal value{.kind = Kind::word, .at = at_, .end = at_ + known.size(), .text = std::string(known)};
        at_ = value.end;
        return value;
      }
    return wrong("this is no Python literal");
  }

  std::string_view text_;
  std::size_t at_ = 0, values_ = 0;
};

}  // namespace

const Literal* Literal::value_of(std::string_view key) const {
  for (std::size_t i = 0; i + 1 < items.size(); i += 2)
    if (items[i].is(Kind::text) && items[i].text == key) return &items[i + 1];
  return nullptr;
}

Literal read_literal(std::string_view text) { return Reader(text).whole(); }

}  // namespace sigwhy::inputs
