#include "report/page.h"

#include <algorithm>

namespace sigwhy::report {

namespace {

constexpr int narrowest = 40;
// A last cell with less room than this is put below its row instead.
constexpr int readable = 24;

std::string spaces(int n) { return std::string(static_cast<std::size_t>(std::max(n, 0)), ' '); }

// Glued words have served their purpose once the line is made.
std::string unglued(std::string_view text) {
  std::string done(text);
  for (std::size_t at; (at = done.find("\u00a0")) != std::string::npos;) done.replace(at, 2, " ");
  return done;
}

// As much of a source line as is worth its place beside a note.
constexpr int shortest_source = 32;

std::string glued(std::string_view text) {
  std::string done;
  for (const char c : text) {
    if (c == ' ') done += "\u00a0";
    else done += c;
  }
  return done;
}

int gap_behind(const std::vector<int>& gaps, std::size_t column) {
  return gaps.empty() ? 2 : gaps[std::min(column, gaps.size() - 1)];
}

}  // namespace

Page::Page(const Look& look) : look_(look), columns_(std::max(look.columns, narrowest)) {}

std::string Page::inked(std::string text, Ink ink) const {
  if (!look_.colour || ink == Ink::plain || text.empty()) return text;
  const char* code = ink == Ink::bold     ? "1"
                     : ink == Ink::dim    ? "2"
                     : ink == Ink::red    ? "1;31"
                     : ink == Ink::yellow ? "1;33"
                                          : "1;35";
  return "\033[" + std::string(code) + "m" + text + "\033[0m";
}

void Page::line(int indent, std::string_view text, Ink ink) {
  out_ += spaces(text.empty() ? 0 : indent) + inked(unglued(text), ink) + "\n";
}

void Page::paragraph(std::string_view text, int indent, int hanging, Ink ink) {
  bool first = true;
  for (const auto& l : wrap(printable(text, look_.unicode), columns_ - indent, columns_ - hanging)) {
    line(first ? indent : hanging, l, ink);
    first = false;
  }
}

void Page::rows(std::span<const std::vector<Cell>> rows, int indent, std::vector<int> gaps) {
  std::vector<std::vector<Cell>> safe;
  std::vector<int> widths;
  for (const auto& cells : rows) {
    auto& row = safe.emplace_back(cells);
    while (!row.empty() && row.back().text.empty() && row.back().source.empty()) row.pop_back();
    for (auto& cell : row)
      for (auto* text : {&cell.text, &cell.source, &cell.note}) *text = printable(*text, look_.unicode);
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], width_of(row[i].text));
    }
  }
  for (const auto& cells : safe) row(cells, indent, widths, gaps);
}

// All in one line if that leaves a readable piece of the source; else the note goes to the next.
std::string Page::fitted(const Cell& cell, int room) const {
  if (cell.source.empty()) return cell.text;
  constexpr std::string_view apart = "   ";
  const auto head = cell.text.empty() ? "" : cell.text + std::string(apart);
  const auto tail = cell.note.empty() ? "" : std::string(apart) + cell.note;
  const int least = std::min(shortest_source, width_of(cell.source));
  int left = room - width_of(head) - width_of(tail);
  if (left < least) left = room - width_of(head);
  if (left < least) left = room;
  return head + glued(shorten_end(cell.source, left, look_.unicode)) + tail;
}

void Page::row(const std::vector<Cell>& cells, int indent, const std::vector<int>& widths,
               const std::vector<int>& gaps) {
  if (cells.empty()) return;
  std::string head = spaces(indent);
  int used = indent, bare = indent;
  for (std::size_t i = 0; i + 1 < cells.size(); ++i) {
    const int padding = widths[i] - width_of(cells[i].text) + gap_behind(gaps, i);
    head += inked(unglued(cells[i].text), cells[i].ink) + spaces(padding);
    bare = used + width_of(cells[i].text);
    used += widths[i] + gap_behind(gaps, i);
  }
  const auto& last = cells.back();
  const int columns = last.source.empty() ? columns_ : std::max(columns_, look_.source_columns);
  const int room = columns - used;
  const auto text = fitted(last, std::max(room, readable));
  const bool below = room < readable && width_of(text) > room && cells.size() > 1;
  if (below && bare <= columns_) {
    head.resize(head.find_last_not_of(' ') + 1);
    out_ += head + "\n";
    paragraph(fitted(last, columns_ - indent - 4), indent + 4, indent + 4, last.ink);
  } else if (below) {
    std::string all;
    for (const auto& cell : cells) {
      const auto part = fitted(cell, columns_ - indent - 4);
      all += part + (part.empty() ? "" : " ");
    }
    paragraph(all, indent, indent + 4);
  } else {
    const auto lines = wrap(text, room, room);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      out_ += (i == 0 ? head : spaces(used)) + inked(unglued(lines[i]), last.ink) + "\n";
    }
  }
}

}  // namespace sigwhy::report
