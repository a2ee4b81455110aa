#include "report/search_text.h"

#include <fmt/format.h>

#include <vector>

#include "evidence/names.h"
#include "report/page.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

// A long search has many rows that only led the way.
constexpr std::size_t most_rows = 24;

std::string verdict_text(const SearchDeath& death) {
  if (death.cause == Cause::unknown || !death.strength) return death.how;
  return fmt::format("{}, {} ({})", death.how, to_name(death.cause), to_name(*death.strength));
}

void draw_table(Page& page, const Search& search) {
  std::vector<std::vector<Cell>> rows = {{{search.over, Ink::dim}, {"runs", Ink::dim}, {"died", Ink::dim}, {"", Ink::dim}}};
  const auto count = search.tried.size();
  for (std::size_t i = 0; i < count; ++i) {
    if (count > most_rows && i == most_rows / 2) rows.push_back({{"..."}, {""}, {""}, {""}});
    if (count > most_rows && i >= most_rows / 2 && i < count - most_rows / 2) continue;
    const auto& one = search.tried[i];
    std::string more = one.death ? verdict_text(*one.death) : "";
    if (!one.death && one.peak_bytes) more = "peak " + size_text(*one.peak_bytes);
    rows.push_back({{one.value}, {count_text(one.runs)}, {count_text(one.died), one.died ? Ink::red : Ink::plain}, {more}});
  }
  page.rows(rows, 2);
}

}  // namespace

std::string search_text(const Search& search, const Look& look) {
  Page page(look);
  page.paragraph(search.said, 0, 2, Ink::bold);
  if (search.death && !search.death->claim.empty())
    page.paragraph(fmt::format("{}: {}", to_name(search.death->cause), sentence(search.death->claim)), 2, 2);
  for (const auto& note : search.notes) page.paragraph(note, 2, 4, Ink::yellow);
  page.blank();
  if (!search.tried.empty()) draw_table(page, search);
  page.blank();
  page.paragraph(fmt::format("{} in {}, {}", counted(search.runs, "run"), duration_text(search.seconds),
                             search.in_layer ? "in a throw-away layer: no file of yours was changed."
                                             : "without a layer: what they wrote stays written."),
                 0, 2, Ink::dim);
  return page.take();
}

}  // namespace sigwhy::report
