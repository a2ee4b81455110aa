#include "evidence/known_bugs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace sigwhy {

extern const std::string_view known_bug_table;

namespace {

using Release = std::array<std::uint32_t, 4>;

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  if (text.empty() || text == "-") return parts;
  for (std::size_t from = 0; from <= text.size();) {
    const auto end = std::min(text.find(at, from), text.size());
    parts.push_back(text.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

// "2.5.1", "2.6.0+cu124" and "1.0.1.post2" are releases; "2.6.0rc1", "2.7.0.dev20250209" are none.
std::optional<Release> release_of(std::string_view version) {
  version = version.substr(0, version.find('+'));
  if (const auto post = version.find(".post"); post != std::string_view::npos) version = version.substr(0, post);
  Release release{};
  const auto parts = split(version, '.');
  if (parts.empty() || parts.size() > release.size()) return std::nullopt;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* end = parts[i].data() + parts[i].size();
    const auto [rest, error] = std::from_chars(parts[i].data(), end, release[i]);
    if (error != std::errc() || rest != end) return std::nullopt;
  }
  return release;
}

bool is_in(const Release& release, std::string_view range) {
  const auto dots = range.find("..");
  if (dots == std::string_view::npos) return false;
  const auto from = release_of(range.substr(0, dots)), to = release_of(range.substr(dots + 2));
  return from && to && *from <= release && release < *to;
}

// PEP 503: case and the kind of separator do not count.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    const bool separates = c == '-' || c == '_' || c == '.';
    if (separates && plain.ends_with('-')) continue;
    plain += separates ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return plain;
}

std::optional<PublicBug> bug_in(std::string_view line) {
  if (line.starts_with('#')) return std::nullopt;
  const auto cells = split(line, '\t');
  if (cells.size() != 7) return std::nullopt;
  return PublicBug{cells[0],
                   cells[1] == "-" ? std::string_view() : cells[1],
                   split(cells[2], ','),
                   split(cells[3], ' '),
                   split(cells[4], ' '),
                   cells[5],
                   split(cells[6], ' ')};
}

std::string_view kind_in_words(std::string_view kind) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> words = {{
      {"division-by-zero", "a division by zero"},
      {"failed-check", "a failed check"},
      {"abort", "an abort"},
      {"null-pointer", "a null pointer"},
      {"out-of-bounds", "an access out of bounds"},
      {"use-after-free", "a use after free"},
      {"integer-overflow", "an integer overflow"},
      {"segfault", "a segmentation fault"},
      {"stack-overflow", "a stack overflow"},
      {"out-of-memory", "memory running out"},
      {"hang", "a hang"},
      {"crash", "a crash"},
  }};
  const auto found = std::ranges::find(words, kind, [](const auto& word) { return word.first; });
  return found == words.end() ? "a crash" : found->second;
}

}  // namespace

std::vector<PublicBug> public_bugs_of(std::string_view package, std::string_view version) {
  std::vector<PublicBug> found;
  const auto release = release_of(version);
  if (!release) return found;
  const auto name = plain_name(package);
  for (const auto line : split(known_bug_table, '\n')) {
    auto bug = bug_in(line);
    if (!bug || std::ranges::find(bug->packages, name) == bug->packages.end()) continue;
    if (std::ranges::any_of(bug->affected, [&](std::string_view range) { return is_in(*release, range); }))
      found.push_back(std::move(*bug));
  }
  return found;
}

std::string_view public_name(const PublicBug& bug) { return bug.also.empty() ? bug.id : bug.also; }

std::vector<std::string> fixes_after(const PublicBug& bug, std::string_view version) {
  std::vector<std::string> after;
  const auto release = release_of(version);
  for (const auto fix : bug.fixed)
    if (const auto fixed = release_of(fix); fixed && release && *fixed > *release) after.emplace_back(fix);
  return after;
}

std::string in_words(const PublicBug& bug) {
  std::vector<std::string_view> names;
  for (const auto operation : bug.operations) names.push_back(operation.substr(operation.find(':') + 1));
  const auto kind = kind_in_words(bug.kind);
  if (names.empty()) return std::string(kind);
  if (names.size() > 3) return fmt::format("{} in {} and {} more", kind, names.front(), names.size() - 1);
  return fmt::format("{} in {}", kind, fmt::join(names, ", "));
}

}  // namespace sigwhy
