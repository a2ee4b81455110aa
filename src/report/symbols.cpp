#include "report/symbols.h"

#include "report/words.h"

namespace sigwhy::report {

namespace {

// One past the bracket that closes the one at `open`, or the end where it is never closed.
std::size_t closing(std::string_view text, std::size_t open) {
  const char opens = text[open];
  const char closes = opens == '<' ? '>' : opens == '(' ? ')' : opens == '{' ? '}' : ']';
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opens) ++depth;
    // the arrow of a trailing return type or operator-> closes nothing
    if (text[i] == closes && !(closes == '>' && i > 0 && text[i - 1] == '-') && --depth == 0) return i + 1;
  }
  return text.size();
}

bool after_operator(std::string_view done) {
  constexpr std::string_view word = "operator";
  if (!done.ends_with(word)) return false;
  if (done.size() == word.size()) return true;
  const char before = done[done.size() - word.size() - 1];
  return before == ':' || before == ' ';
}

// The characters of an operator's name, "<<" or "()", which must not be taken for brackets.
std::size_t operator_name(std::string_view rest) {
  for (const std::string_view name : {"()", "<<=", "<=>", "<<", "<=", "<", "->*", "->", ">>=", ">>", ">=", ">", "[]"})
    if (rest.starts_with(name)) return name.size();
  return 0;
}

// Template arguments, parameter lists, [clone] and [abi] marks, and what tells lambdas apart: all gone.
std::string without_brackets(std::string_view text) {
  std::string done;
  for (std::size_t i = 0; i < text.size();) {
    const auto rest = text.substr(i);
    constexpr std::string_view anonymous = "(anonymous namespace)::";
    if (rest.starts_with(anonymous)) {
      i += anonymous.size();
    } else if (const auto length = after_operator(done) ? operator_name(rest) : 0) {
      done += rest.substr(0, length);
      i += length;
    } else if (rest.starts_with("{lambda")) {
      done += "{lambda}";
      i = closing(text, i);
    } else if (rest[0] == '<' || rest[0] == '(' || rest[0] == '[') {
      i = closing(text, i);
    } else {
      done += rest[0];
      ++i;
    }
  }
  return done;
}

// Drops a return type in front and qualifiers behind: the name is the word with no space, except that
// "operator bool" and "operator new" hold one.
std::string_view name_alone(std::string_view text) {
  for (const std::string_view behind : {" const", " volatile", " &&", " &", " noexcept"})
    if (text.ends_with(behind)) text.remove_suffix(behind.size());
  while (text.ends_with(' ')) text.remove_suffix(1);
  const auto named = text.find("operator ");
  const auto space = text.rfind(' ', named == std::string_view::npos ? text.size() : named);
  return space == std::string_view::npos ? text : text.substr(space + 1);
}

}  // namespace

// What the compiler appends when it splits or copies a function: "f.cold", "f.part.0".
static std::string_view without_suffix(std::string_view text) {
  for (const std::string_view mark : {".cold", ".part.", ".isra.", ".constprop.", ".lto_priv."})
    text = text.substr(0, text.find(mark));
  return text;
}

std::string short_symbol(std::string_view demangled, std::size_t most) {
  const auto bare = without_brackets(without_suffix(demangled));
  auto name = name_alone(bare);
  if (name.empty()) name = demangled;
  while (name.size() > most) {
    const auto next = name.find("::");
    if (next == std::string_view::npos) break;
    name.remove_prefix(next + 2);
  }
  if (name.size() <= most || most < 8) return std::string(name);
  const auto tail = most / 3;
  return std::string(name.substr(0, most - tail - 1)) + "…" + std::string(name.substr(name.size() - tail));
}

std::string short_source(std::string_view file, std::string_view directory, std::size_t most) {
  if (!directory.empty() && file.starts_with(directory) && file.size() > directory.size() + 1 &&
      file[directory.size()] == '/')
    file.remove_prefix(directory.size() + 1);
  const bool below = !file.starts_with('/') && !file.starts_with("../");
  return std::string(below && file.size() <= most ? file : base_name(file));
}

std::string short_module(std::string_view file) {
  constexpr std::size_t longest = 31;
  std::string name(file);
  for (const std::string_view tag : {".cpython-", ".abi3", ".pypy"})
    if (const auto at = name.find(tag); at != std::string::npos && name.ends_with(".so"))
      name.erase(at, name.size() - at - 3);
  if (name.size() <= longest) return name;
  return name.substr(0, longest - 8) + "…" + name.substr(name.size() - 7);
}

}  // namespace sigwhy::report
