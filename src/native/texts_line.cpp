#include "native/texts_line.h"

#include <algorithm>
#include <array>

#include "native/texts_clean.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_line_bytes = 2048;
constexpr std::size_t most_prefix_bytes = 400;
constexpr std::size_t most_lines = 64;

struct Mark {
  std::string_view text;
  TextKind kind;
};
// All but the assertion stand at the start of the message itself.
constexpr Mark marks[] = {
    {"Check failed: ", TextKind::failed_check},
    {"CHECK failed: ", TextKind::failed_check},
    {"Non-OK-status: ", TextKind::failed_check},
    {"terminate called after throwing", TextKind::terminate},
    {"terminate called without an active", TextKind::terminate},
    {"terminate called recursively", TextKind::terminate},
    {"pure virtual method called", TextKind::terminate},
    {"Fatal Python error: ", TextKind::python_fatal},
    {"[libprotobuf FATAL ", TextKind::protobuf_fatal},
    {"File already exists in database: ", TextKind::protobuf_fatal},
    {"OMP: Error #", TextKind::openmp_error},
    {"*** stack smashing detected ***", TextKind::abort_message},
    {"*** buffer overflow detected ***", TextKind::abort_message},
};

constexpr std::string_view runtime_met = ", but found ";

struct Prefix {
  std::string_view source;  // "tensor.cc:733"
  std::string_view before;  // all in front of that
  std::string_view message;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Splits "… file.cc:12] message" at the first bracket that follows a file and a line.
std::optional<Prefix> split_prefix(std::string_view line) {
  for (auto bracket = line.find("] "); bracket != std::string_view::npos && bracket < most_prefix_bytes;
       bracket = line.find("] ", bracket + 1)) {
    auto colon = bracket;
    while (colon > 0 && is_digit(line[colon - 1])) --colon;
    if (colon == bracket || colon < 2 || line[colon - 1] != ':') continue;
    const auto path_end = colon - 1;
    const auto path = line.find_last_of(" [", path_end - 1) + 1;  // npos + 1 is 0
    if (!names_source(line.substr(path, path_end - path))) continue;
    return Prefix{line.substr(path, bracket - path), line.substr(0, path), line.substr(bracket + 2)};
  }
  return std::nullopt;
}

// The prefix of a line logged as fatal: "F0512 …", "…: F ", "[F ", "… FATAL ".
bool is_fatal_prefix(std::string_view before) {
  if (before.ends_with("[F ") || before.ends_with(": F ") || before == "F " || before.ends_with("FATAL ")) return true;
  return before.size() > 5 && before[0] == 'F' && std::all_of(before.begin() + 1, before.begin() + 5, is_digit) &&
         before[5] == ' ';
}

// "OMP: Error #15: Initializing a.so, but found b.so already initialized.": freed before the abort, so that the heap
// has overwritten its head.
bool is_second_runtime(std::string_view line) {
  return line.find(runtime_met) != std::string_view::npos && line.find(" already initialized.") != std::string_view::npos;
}

const Mark* mark_at_start(std::string_view message) {
  for (const auto& mark : marks)
    if (message.starts_with(mark.text)) return &mark;
  return nullptr;
}

bool is_assertion(std::string_view line) {
  const auto at = line.find(": Assertion `");
  return at != std::string_view::npos && line.find("' failed", at) != std::string_view::npos;
}

// Constants with holes in them are what a message is made from, not a message.
bool is_format(std::string_view line) {
  constexpr std::array<std::string_view, 6> holes = {"%s", "%d", "%lu", "%zu", "%ld", "%p"};
  return std::ranges::any_of(holes, [&](auto hole) { return line.find(hole) != std::string_view::npos; });
}

std::optional<TextKind> kind_of(std::string_view line) {
  if (is_format(line)) return std::nullopt;
  if (const Mark* mark = mark_at_start(line)) return mark->kind;
  if (is_assertion(line)) return TextKind::abort_message;
  if (is_second_runtime(line)) return TextKind::openmp_error;
  const auto prefix = split_prefix(line);
  if (!prefix) return std::nullopt;
  if (const Mark* mark = mark_at_start(prefix->message)) return mark->kind;
  if (is_fatal_prefix(prefix->before) && !prefix->message.empty()) return TextKind::failed_check;
  return std::nullopt;
}

// The whole line around `at`. Left of it only ASCII: the byte in front of a heap block is any byte.
FoundLine line_around(std::string_view bytes, std::size_t at) {
  std::size_t start = at, end = at;
  while (start > 0 && at - start < most_line_bytes && is_printable(bytes[start - 1])) --start;
  while (end < bytes.size() && end - at < most_line_bytes && is_line_part(bytes[end])) ++end;
  return {.start = start, .end = end};
}

void add_line(std::string_view bytes, std::size_t at, std::vector<FoundLine>& found) {
  auto line = line_around(bytes, at);
  const auto known = [&](const FoundLine& other) { return other.start <= at && at < other.end; };
  if (found.size() >= most_lines || std::ranges::any_of(found, known)) return;
  const auto kind = kind_of(bytes.substr(line.start, line.end - line.start));
  if (!kind) return;
  line.kind = *kind;
  found.push_back(line);
}

}  // namespace

bool names_source(std::string_view path) {
  constexpr std::array<std::string_view, 12> endings = {".cc", ".cpp", ".cxx", ".c",     ".h",   ".hpp",
                                                        ".hh", ".cu",  ".inc", ".cu.cc", ".inl", ".cuh"};
  return path.size() > 2 && std::ranges::all_of(path, is_printable) &&
         std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

std::vector<FoundLine> lines_that_explain(std::string_view bytes) {
  std::vector<FoundLine> found;
  const auto find_all = [&](std::string_view mark) {
    for (auto at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at + mark.size()))
      add_line(bytes, at, found);
  };
  for (const auto& mark : marks) find_all(mark.text);
  find_all(": Assertion `");
  find_all(runtime_met);
  // A fatal line without any of the marks: its prefix is all there is to know it by.
  find_all("] ");
  std::ranges::sort(found, {}, &FoundLine::start);
  return found;
}

std::optional<std::string> explanation(TextKind kind, std::string_view line) {
  const auto whole = cleaned(line);
  const auto prefix = split_prefix(whole);
  if (!prefix) return whole.size() > 8 ? std::optional(whole) : std::nullopt;
  const bool keeps_prefix = kind == TextKind::abort_message || kind == TextKind::openmp_error;
  if (keeps_prefix) return whole;
  const auto message = cleaned(prefix->message);
  if (message.empty()) return std::nullopt;
  return std::string(prefix->source) + ": " + message;
}

}  // namespace sigwhy::native
