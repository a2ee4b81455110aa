// Text on a page of a certain width: wrapping with hanging indents, aligned rows, colour, ASCII fallback.
// Everything drawn passes through here, so here the strings of a foreign process lose what could steer the
// reader's terminal: control characters and bytes that are not UTF-8 come out as visible escapes.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/look.h"

namespace sigwhy::report {

enum class Ink { plain, bold, dim, red, yellow, magenta };

struct Cell {
  std::string text;
  Ink ink = Ink::plain;
  // Of a last cell, behind its text: a line of source, which is cut to the room there is, and a note about it.
  std::string source = {};
  std::string note = {};
};

class Page {
 public:
  explicit Page(const Look& look);

  // One paragraph; lines after the first begin at `hanging`.
  void paragraph(std::string_view text, int indent, int hanging, Ink ink = Ink::plain);

  // Rows whose cells are aligned under each other, `gaps[i]` spaces behind column i (the last gap repeats).
  // The last cell wraps under itself; where that leaves it too little room it goes below the others.
  void rows(std::span<const std::vector<Cell>> rows, int indent, std::vector<int> gaps = {2});

  void blank() { out_ += '\n'; }
  int columns() const { return columns_; }
  const Look& look() const { return look_; }
  std::string take() { return std::move(out_); }

 private:
  void line(int indent, std::string_view text, Ink ink);
  std::string inked(std::string text, Ink ink) const;
  std::string fitted(const Cell& cell, int room) const;
  void row(const std::vector<Cell>& cells, int indent, const std::vector<int>& widths, const std::vector<int>& gaps);

  Look look_;
  int columns_;
  std::string out_;
};

// Columns that valid UTF-8 takes on a terminal.
int width_of(std::string_view text);

// Control characters and invalid bytes as \x1b, other text as it is; without unicode only ASCII.
std::string printable(std::string_view text, bool unicode);

// Keeps both ends: "python train.py --d…ta/run 7".
std::string shorten_middle(const std::string& text, int most, bool unicode);

// Keeps the beginning: "loss = criterion(out…".
std::string shorten_end(const std::string& text, int most, bool unicode);

// Words into lines of at most `first` columns for the first line and `others` for the rest. Blanks inside a line
// stay as many as they were.
std::vector<std::string> wrap(std::string_view text, int first, int others);

}  // namespace sigwhy::report
