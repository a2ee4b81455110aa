#include "report/draw.h"

#include <fmt/format.h>

namespace sigwhy::report {

namespace {

// A command shortened to less than this tells nothing any more; then the line wraps instead.
constexpr int shortest_command = 24;
constexpr int claim_room = 30;

Ink ink_of(std::string_view strength) {
  if (strength == "PROVEN") return Ink::red;
  if (strength == "UNKNOWN") return Ink::magenta;
  return strength == "STRONG" ? Ink::yellow : Ink::bold;
}

void draw_headline(Page& page, const Headline& headline) {
  constexpr std::string_view who = "sigwhy: ";
  const bool unicode = page.look().unicode;
  const int left = page.columns() - static_cast<int>(who.size()) - width_of(headline.rest);
  const bool fits = width_of(headline.command) <= left;
  const auto command = printable(fits ? headline.command : headline.without_folders, unicode);
  const int whole_line = page.columns() - static_cast<int>(who.size());
  const auto shown = shorten_middle(command, left >= shortest_command ? left : whole_line, unicode);
  page.paragraph(std::string(who) + shown + headline.rest, 0, static_cast<int>(who.size()), Ink::bold);
}

void draw_verdicts(Page& page, const std::vector<VerdictLine>& verdicts) {
  std::vector<std::vector<Cell>> rows;
  int widest = 0;
  for (const auto& v : verdicts) {
    if (v.cause.empty()) rows.push_back({{v.strength, ink_of(v.strength)}, {v.claim}});
    else rows.push_back({{v.strength, ink_of(v.strength)}, {v.cause, Ink::bold}, {v.claim}});
    widest = std::max(widest, width_of(v.strength) + width_of(v.cause));
  }
  const bool beside = page.columns() - 2 - widest - 5 >= claim_room;
  if (beside) return page.rows(rows, 2, {2, 3});
  for (const auto& v : verdicts) {
    const std::vector<Cell> title = {{v.strength, ink_of(v.strength)}, {v.cause, Ink::bold}};
    page.rows(std::span(&title, 1), 2);
    page.paragraph(v.claim, 6, 6);
  }
}

void draw_places(Page& page, const std::vector<Row>& places) {
  std::vector<std::vector<Cell>> rows;
  for (const auto& place : places) {
    auto& cells = rows.emplace_back();
    cells.push_back({rows.size() == 1 ? "at" : "", Ink::dim});
    for (const auto& text : place.cells) cells.push_back({text, cells.size() == 1 ? Ink::bold : Ink::plain});
    cells.back().source = place.source;
    cells.back().note = place.note;
  }
  page.rows(rows, 2);
}

}  // namespace

void draw_head(Page& page, const View& view) {
  draw_headline(page, view.headline);
  draw_verdicts(page, view.verdicts);
  draw_places(page, view.places);
}

void draw_section(Page& page, const Section& section) {
  page.paragraph(section.title, 0, 2, Ink::bold);
  std::vector<std::vector<Cell>> rows;
  for (const auto& row : section.rows) {
    auto& cells = rows.emplace_back();
    for (const auto& text : row.cells) cells.push_back({text});
    if (!cells.empty()) cells.back().source = row.source, cells.back().note = row.note;
  }
  page.rows(rows, 2);
}

void draw_footer(Page& page, const View& view) {
  if (!view.footer.empty()) page.paragraph(fmt::format("{}", fmt::join(view.footer, " · ")), 0, 0, Ink::dim);
}

}  // namespace sigwhy::report
