// A report in words and in order, before it is drawn. Here it is decided what is said, here and nowhere else;
// a format decides only where on the page it stands.
//
// The order is fixed: what ended it, what caused it (strength and cause id first), where (the user's own code
// first), the fix, why we say so, what could not be seen, where to read on. A section without content is absent.
// U+00A0 inside a text keeps two words on one line; it is drawn as a space.
#pragma once
#include <string>
#include <vector>

#include "evidence/case.h"

namespace sigwhy::report {

// "sigwhy: " command + rest. Where the line is too narrow the command alone is shortened: first the folders go, then
// its middle.
struct Headline {
  std::string command;
  std::string without_folders;
  std::string rest;
};

struct VerdictLine {
  std::string strength;  // PROVEN, STRONG, PLAUSIBLE, WEAK, UNKNOWN
  std::string cause;     // cause id; empty for UNKNOWN
  std::string claim;
};

// Cells under each other are aligned; the last one takes the rest of the line and wraps. Behind it stands a line of
// source, which is cut to the room there is rather than wrapped, and what is noted about that.
struct Row {
  std::vector<std::string> cells;
  std::string source;
  std::string note;

  bool operator==(const Row&) const = default;
};

struct Section {
  std::string title;
  std::vector<Row> rows;
};

struct View {
  Headline headline;
  std::vector<VerdictLine> verdicts;
  std::vector<Row> places;
  std::vector<Section> sections;  // Fix, Why, Not seen: those that have something to say
  std::vector<Section> details;   // everything else, hex addresses included
  std::vector<std::string> footer;
};

enum class Detail { usual, everything };

// `again` is the command that shows this case again, for the footer: "sigwhy show 4f1c27a9".
View make_view(const Case& c, Detail detail, const std::string& again);
View make_view(const Case& c, Detail detail = Detail::usual);

Headline make_headline(const Snapshot& snapshot);

}  // namespace sigwhy::report
