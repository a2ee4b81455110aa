#include "report/listing.h"

#include <fmt/format.h>

#include <algorithm>

#include "evidence/python_place.h"
#include "report/exception_places.h"
#include "report/page.h"
#include "report/places.h"
#include "report/view.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

// Older cases of a group add nothing but their ids.
constexpr std::size_t most_shown = 5;
// indent, id, time and the longest usual end, with the gaps between them
constexpr int columns_before = 2 + 8 + 2 + 16 + 2 + 8 + 2;

using Group = std::vector<const Summary*>;

std::vector<Group> grouped(const std::vector<Summary>& cases) {
  std::vector<Group> groups;
  for (const auto& c : cases) {
    const auto same = std::ranges::find_if(groups, [&](const Group& g) { return g[0]->group() == c.group(); });
    if (same == groups.end()) groups.push_back({&c});
    else same->push_back(&c);
  }
  return groups;
}

Ink ink_of(const Summary& c) {
  return c.strength == "PROVEN"    ? Ink::red
         : c.strength == "STRONG"  ? Ink::yellow
         : c.strength == "UNKNOWN" ? Ink::magenta
                                   : Ink::bold;
}

void draw_group(Page& page, const Group& group) {
  const auto& newest = *group[0];
  auto place = newest.place;
  if (group.size() > 1) place += fmt::format("{}({} times)", place.empty() ? "" : "   ", count_text(group.size()));
  std::vector<Cell> title = {{newest.strength, ink_of(newest)}};
  if (!newest.cause.empty()) title.push_back({newest.cause, Ink::bold});
  title.push_back({place});
  page.rows(std::span(&title, 1), 0);
  std::vector<std::vector<Cell>> rows;
  for (std::size_t i = 0; i < std::min(group.size(), most_shown); ++i)
    rows.push_back({{group[i]->id},
                    {minute_text(group[i]->made_unix_ms), Ink::dim},
                    {group[i]->end},
                    {shorten_middle(group[i]->command, page.columns() - columns_before, page.look().unicode)}});
  if (group.size() > most_shown)
    rows.push_back({{"..."}, {fmt::format("and {} older", count_text(group.size() - most_shown))}});
  page.rows(rows, 2);
}

}  // namespace

static std::string end_text(const Termination& t) {
  if (t.signal_name) return *t.signal_name;
  if (t.exit_code) return fmt::format("exit {}", *t.exit_code);
  return "ended";
}

// Where nothing of the user's own was active the package that called libc tells deaths apart, libc does not.
static Row first_place(const Snapshot& s) {
  const auto places = make_places(s);
  if (places.empty()) return {};
  const Thread& thread = *dying_thread(s);
  const auto calls = calls_of(s, thread);
  if (python_place(s) || std::ranges::any_of(calls, &Call::own)) return places[0];
  const auto package = std::ranges::find_if(calls, [](const Call& call) {
    return call.module && call.module->origin == Origin::package && !call.symbol.empty();
  });
  return package == calls.end() ? places[0] : place_of(s, thread, *package);
}

static std::string place_in_short(const Snapshot& s) {
  if (auto exception = exception_place(s); !exception.empty()) return exception;
  const auto row = first_place(s);
  return row.cells.size() > 1 ? row.cells[0] + " " + row.cells[1] : "";
}

Summary summarise(const Case& c) {
  const auto verdicts = make_view(c).verdicts;
  // the last verdict line is the deepest cause
  const auto& verdict = c.diagnosis.verdict == Cause::unknown ? verdicts.front() : verdicts.back();
  Summary s{.id = c.id, .made_unix_ms = c.made_unix_ms, .strength = verdict.strength, .cause = verdict.cause};
  s.end = end_text(c.snapshot.termination);
  s.command = make_headline(c.snapshot).without_folders;
  s.place = place_in_short(c.snapshot);
  return s;
}

std::string draw_list(const std::vector<Summary>& cases, std::size_t broken, const Look& look) {
  Page page(look);
  const auto groups = grouped(cases);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (i > 0) page.blank();
    draw_group(page, groups[i]);
  }
  if (cases.empty()) page.paragraph("no cases", 0, 0);
  if (broken > 0)
    page.paragraph(fmt::format("{} could not be read as a case", counted(broken, "file")), 0, 0, Ink::dim);
  return page.take();
}

}  // namespace sigwhy::report
