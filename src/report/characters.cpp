// Bytes to characters that are safe to draw, and how wide they are.
#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "base/utf8.h"
#include "report/page.h"

namespace sigwhy::report {

namespace {

struct Range {
  std::uint32_t first, last;
};

bool in(std::span<const Range> ranges, std::uint32_t code) {
  for (const auto& r : ranges)
    if (r.first <= code && code <= r.last) return true;
  return false;
}

// East Asian and emoji blocks that terminals draw two columns wide.
constexpr std::array wide = {Range{0x1100, 0x115f},   Range{0x2e80, 0xa4cf},  Range{0xac00, 0xd7a3},
                             Range{0xf900, 0xfaff},   Range{0xfe30, 0xfe6f},  Range{0xff00, 0xff60},
                             Range{0x1f300, 0x1faff}, Range{0x20000, 0x3fffd}};
constexpr std::array combining = {Range{0x300, 0x36f}, Range{0x200b, 0x200d}, Range{0xfe00, 0xfe0f}};
// C0, DEL, C1, and the marks that reverse the direction of what follows.
constexpr std::array steering = {Range{0, 0x1f}, Range{0x7f, 0x9f}, Range{0x200e, 0x200f}, Range{0x202a, 0x202e},
                                 Range{0x2066, 0x2069}};

std::string in_ascii(std::uint32_t code) {
  switch (code) {
    case 0xb7: return "-";
    case 0xd7: return "x";
    case 0x2013:
    case 0x2014: return "-";
    case 0x2018:
    case 0x2019: return "'";
    case 0x201c:
    case 0x201d: return "\"";
    case 0x2026: return "...";
    case 0x2192: return "->";
    default: break;
  }
  // Blocks of one to eight eighths: a small drawing.
  if (code >= 0x2581 && code <= 0x2588) return {"_.:-=+*#"[code - 0x2581]};
  return "?";
}

}  // namespace

static int columns_of(std::uint32_t code) {
  if (code < 0x300) return 1;
  return in(combining, code) ? 0 : in(wide, code) ? 2 : 1;
}

int width_of(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const auto c = first_character(text);
    width += columns_of(c.code);
    text.remove_prefix(c.bytes ? c.bytes : 1);
  }
  return width;
}

std::string printable(std::string_view text, bool unicode) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const auto c = first_character(text);
    if (c.code >= 0x20 && c.code < 0x7f) safe += text[0];
    else if (c.bytes == 0) safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (c.code == '\t') safe += ' ';
    else if (in(steering, c.code))
      safe += c.code < 0x100 ? fmt::format("\\x{:02x}", c.code) : fmt::format("\\u{:04x}", c.code);
    else if (c.code >= 0x80 && c.code != 0xa0 && !unicode) safe += in_ascii(c.code);
    else safe += text.substr(0, c.bytes);
    text.remove_prefix(c.bytes ? c.bytes : 1);
  }
  return safe;
}

// The longest start of `text` that fits.
static std::string_view first_columns(std::string_view text, int most) {
  std::size_t bytes = 0;
  for (int used = 0; bytes < text.size();) {
    const auto c = first_character(text.substr(bytes));
    const int width = columns_of(c.code);
    if (used + width > most) break;
    used += width;
    bytes += c.bytes ? c.bytes : 1;
  }
  return text.substr(0, bytes);
}

std::string shorten_middle(const std::string& text, int most, bool unicode) {
  const std::string_view mark = unicode ? "…" : "...";
  const int total = width_of(text), room = most - width_of(mark);
  if (total <= most || room < 2) return text;
  const int tail = room / 3, head = room - tail;
  const auto start = first_columns(text, head);
  const auto skipped = first_columns(text, total - tail);
  return std::string(start) + std::string(mark) + text.substr(skipped.size());
}

std::string shorten_end(const std::string& text, int most, bool unicode) {
  const std::string_view mark = unicode ? "…" : "...";
  if (width_of(text) <= most) return text;
  auto start = first_columns(text, std::max(most - width_of(mark), 1));
  start.remove_suffix(start.size() - (start.find_last_not_of(' ') + 1));
  return std::string(start) + std::string(mark);
}

// A word wider than the line is cut where it can be read on best: behind a slash, comma or colon.
static std::string_view cut_word(std::string_view word, int most) {
  const auto fits = first_columns(word, most);
  const auto soft = fits.find_last_of("/,:;|");
  if (soft != std::string_view::npos && soft + 1 > fits.size() / 2) return fits.substr(0, soft + 1);
  return fits.empty() ? word.substr(0, 1) : fits;
}

std::vector<std::string> wrap(std::string_view text, int first, int others) {
  std::vector<std::string> lines(1);
  int left = first;
  while (!text.empty()) {
    const auto blanks = std::min(text.find_first_not_of(' '), text.size());
    text.remove_prefix(blanks);
    const auto end = std::min(text.find(' '), text.size());
    auto word = text.substr(0, end);
    text.remove_prefix(end);
    if (word.empty()) break;
    const int space = lines.back().empty() ? 0 : static_cast<int>(blanks);
    if (width_of(word) + space <= left) {
      lines.back().append(static_cast<std::size_t>(space), ' ').append(word);
      left -= width_of(word) + space;
      continue;
    }
    if (space) lines.emplace_back(), left = others;
    while (width_of(word) > left) {
      const auto part = cut_word(word, left);
      lines.back() = part;
      word.remove_prefix(part.size());
      lines.emplace_back(), left = others;
    }
    lines.back() = word;
    left -= width_of(word);
  }
  return lines;
}

}  // namespace sigwhy::report
