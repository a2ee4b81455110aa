#include "report/living.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/living_stack.h"
#include "report/words.h"
#include "report/value_rows.h"

namespace sigwhy::report {

namespace {

constexpr std::size_t most_shown = 8;
constexpr std::size_t most_groups = 12;

bool is_main(const Snapshot& s, const Thread& t) { return t.tid == s.process.pid; }

bool has_own(const std::vector<StackRow>& stack) { return std::ranges::any_of(stack, &StackRow::own); }

std::string doing_text(const Thread& t) {
  if (t.on_cpu == true) return "at work";
  return t.system_call ? "asleep in " + *t.system_call : "";
}

std::string gil_text(const Snapshot& s, const Thread& t) {
  const bool named = std::ranges::any_of(s.interpreters, [&](const PyInterpreter& i) { return i.gil_holder == t.tid; });
  if (named || t.gil == GilState::holds) return "holds the GIL";
  return t.gil == GilState::waits ? "waits for the GIL" : "";
}

// Threads of one pool: the same name but for its number, waiting in the same place.
std::string pool_name(std::string name) {
  while (!name.empty() && std::string_view("0123456789-_:#/ ").find(name.back()) != std::string_view::npos)
    name.pop_back();
  return name;
}

std::string common_name(const std::string& a, const std::string& b) { return a == b ? a : pool_name(a); }

// Threads that are in the same place, doing the same.
struct Shown {
  std::vector<const Thread*> threads;
  std::vector<Row> rows;
};

// A name that somebody chose. threading itself gives "MainThread", "Thread-3" and "Thread-3 (function)", which say
// nothing that is not said beside them.
std::optional<std::string> chosen_name(const Thread& t) {
  if (!t.python_name || t.python_name == "MainThread") return std::nullopt;
  constexpr std::string_view by_itself = "Thread-";
  const auto rest = std::string_view(*t.python_name).substr(std::min(by_itself.size(), t.python_name->size()));
  const auto behind_number = rest.substr(std::min(rest.find_first_not_of("0123456789"), rest.size()));
  const bool unchosen = t.python_name->starts_with(by_itself) && behind_number.size() < rest.size() &&
                        (behind_number.empty() || behind_number.starts_with(" ("));
  return unchosen ? std::nullopt : t.python_name;
}

std::string own_name(const Snapshot& s, const Thread& t) {
  return chosen_name(t).value_or(is_main(s, t) ? "" : t.name);
}

std::string title_of(const Snapshot& s, const Shown& shown) {
  const Thread& first = *shown.threads.front();
  std::string title = is_main(s, first) ? "Main thread" : fmt::format("Thread {}", first.tid);
  auto name = own_name(s, first);
  if (shown.threads.size() > 1) {
    title = counted(shown.threads.size(), "thread");
    name = common_name(name, own_name(s, *shown.threads.back()));
  }
  if (!name.empty()) title += " " + name;
  for (const auto& part : {doing_text(first), gil_text(s, first)})
    if (!part.empty()) title += ", " + part;
  return title;
}

bool alike(const Snapshot& s, const Thread& a, const Thread& b) {
  return !is_main(s, a) && !is_main(s, b) && doing_text(a) == doing_text(b) && gil_text(s, a) == gil_text(s, b) &&
         pool_name(own_name(s, a)) == pool_name(own_name(s, b));
}

void add_shown(const Snapshot& s, const Thread& thread, std::vector<Row> rows, std::vector<Shown>& all) {
  const auto same = std::ranges::find_if(all, [&](const Shown& shown) {
    return alike(s, *shown.threads.front(), thread) && shown.rows == rows;
  });
  if (same == all.end()) all.push_back({{&thread}, std::move(rows)});
  else same->threads.push_back(&thread);
}

struct Group {
  std::size_t count = 0;
  std::string doing, name, place, function;

  std::string key() const { return fmt::format("{}\n{}\n{}\n{}", doing, pool_name(name), place, function); }
};

Group group_of(const Thread& t, const std::vector<StackRow>& stack) {
  Group g{.count = 1, .doing = doing_text(t), .name = t.name};
  if (!stack.empty()) {
    g.place = stack[0].row.cells[0];
    g.function = stack[0].row.cells[1];
  }
  return g;
}

void add_group(std::vector<Group>& groups, Group group) {
  const auto same = std::ranges::find_if(groups, [&](const Group& g) { return g.key() == group.key(); });
  if (same == groups.end()) groups.push_back(std::move(group));
  else {
    same->count += group.count;
    same->name = common_name(same->name, group.name);
  }
}

Row group_row(const Group& g) {
  std::string what = g.doing.empty() ? "not read" : g.doing;
  std::string where = g.function.empty() ? g.place : g.function + (g.place.empty() ? "" : "  " + g.place);
  return {{counted(g.count, "thread"), g.name, what, where}};
}

Section other_threads(std::vector<Group> groups) {
  std::ranges::stable_sort(groups, std::ranges::greater{}, &Group::count);
  Section section{"Other threads", {}};
  std::size_t left_out = 0;
  for (const Group& g : groups)
    if (section.rows.size() < most_groups) section.rows.push_back(group_row(g));
    else left_out += g.count;
  if (left_out) section.rows.push_back({{counted(left_out, "thread"), "", "more: --full"}});
  return section;
}

}  // namespace

Headline living_headline(const Snapshot& s) {
  auto headline = make_headline(s);
  headline.rest = fmt::format(" (process\u00a0{}) has been running for\u00a0{}; {}", s.process.pid,
                              duration_text(s.termination.after_seconds),
                              counted(s.process.thread_count.value_or(s.threads.size()), "thread"));
  return headline;
}

std::vector<Section> living_sections(const Snapshot& s) {
  std::vector<Shown> shown;
  std::vector<Group> groups;
  // The main thread, those that run Python or the user's own code, those at work; the rest waits in somebody's pool.
  for (const Thread& t : s.threads) {
    const auto stack = merged_stack(s, t);
    const bool interesting = is_main(s, t) || !t.python.empty() || has_own(stack) || t.on_cpu == true;
    auto rows = shortened(stack);
    if (rows.empty() && is_main(s, t)) rows.push_back({{"no call of its own could be read"}});
    if (is_main(s, t)) std::ranges::move(value_rows(s, {}), std::back_inserter(rows));
    if (!interesting || rows.empty() || shown.size() >= most_shown) add_group(groups, group_of(t, stack));
    else add_shown(s, t, std::move(rows), shown);
  }
  std::vector<Section> sections;
  for (Shown& each : shown) sections.push_back({title_of(s, each), std::move(each.rows)});
  if (!groups.empty()) sections.push_back(other_threads(std::move(groups)));
  return sections;
}

}  // namespace sigwhy::report
