#include "experiment/bisect.h"

#include <algorithm>

#include "capture/plain_words.h"
#include "experiment/bisection.h"
#include "experiment/bisect_lines.h"

namespace sigwhy::experiment {

namespace {

// Longer lists are bisected instead of tried whole.
constexpr std::size_t short_list = 16;

// The values of a range or a list, the harmless end first.
class Values {
 public:
  Values(const Over& over, bool smallest) : over_(over), smallest_(smallest) {}

  std::int64_t count() const {
    return over_.kind == Over::range ? over_.last - over_.first + 1 : static_cast<std::int64_t>(over_.values.size());
  }
  std::string at(std::int64_t place) const {
    const auto forward = smallest_ ? count() - 1 - place : place;
    return over_.kind == Over::range ? std::to_string(over_.first + forward) : over_.values[static_cast<std::size_t>(forward)];
  }

 private:
  const Over& over_;
  bool smallest_;
};

// All places of a short list once, and again those beside which the outcome changes.
struct WholeList {
  Result<bool> run(SearchRuns& runs, const SearchWish& wish, const Over& over) const {
    const auto once = [&](const std::string& value) -> Result<bool> {
      const auto end = runs.run(value, with_value(wish.recipe.argv, over.name, value));
      if (!end) return std::unexpected(end.error());
      return end->has_value();
    };
    for (const auto& value : over.values)
      if (auto went_on = once(value); !went_on || !*went_on) return went_on;
    const auto dies = [&](std::size_t i) { return runs.tried(over.values[i])->died > 0; };
    for (std::size_t i = 0; i < over.values.size(); ++i) {
      const bool beside = (i > 0 && dies(i) != dies(i - 1)) || (i + 1 < over.values.size() && dies(i) != dies(i + 1));
      while (beside && runs.tried(over.values[i])->runs < static_cast<std::uint64_t>(wish.votes))
        if (auto went_on = once(over.values[i]); !went_on || !*went_on) return went_on;
    }
    return true;
  }
};

std::string enumerated(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

// "2.10 and 2.11 survive, 2.12 dies of SIGSEGV".
void judge_list(Search& search, const SearchRuns& runs, const Over& over) {
  std::vector<std::string> living, dying;
  int turns = 0;
  bool before = false;
  for (const auto& value : over.values) {
    const Tried* tried = runs.tried(value);
    if (!tried) continue;
    const bool dies = 2 * tried->died >= tried->runs;
    turns += !(living.empty() && dying.empty()) && dies != before;
    before = dies;
    (dies ? dying : living).push_back(value);
    if (dies && !search.death) search.death = tried->death;
  }
  if (dying.empty()) search.said = "all survive: " + enumerated(living);
  else if (living.empty()) search.said = "none survives: " + enumerated(dying);
  else search.said = enumerated(living) + (living.size() == 1 ? " survives, " : " survive, ") + enumerated(dying) +
                     (dying.size() == 1 ? " " + death_verb(*search.death, search.limit_bytes) : " die");
  if (turns == 1) {
    search.survives = before ? living.back() : living.front();
    search.dies = before ? dying.front() : dying.back();
    search.death = runs.tried(*search.dies)->death;
  }
  if (turns > 1) search.notes.push_back("the outcome does not turn once along the list, it changes " + std::to_string(turns) + " times");
}

Result<Search> bisect_short_list(const SearchWish& wish, const Over& over) {
  SearchRuns runs(wish);
  Search search{.over = over.name};
  const auto whole = WholeList().run(runs, wish, over);
  if (!whole) return std::unexpected(whole.error());
  search.answered = *whole;
  judge_list(search, runs, over);
  runs.conclude(search);
  return search;
}

void note_contradictions(Search& search, const Bisection& plan, const Values& values, bool smallest) {
  for (const auto place : plan.against()) {
    const auto& tally = plan.tallies().at(place);
    const bool on_the_harmless_side = tally.died > 0;
    const std::string times = std::to_string(tally.died + tally.survived);
    search.notes.push_back("not in order: " + values.at(place) + (tally.died ? " died " : " survived ") + times + " of " +
                           times + " times though it is " + (on_the_harmless_side != smallest ? "smaller" : "larger") +
                           " than " + (search.survives ? *search.survives : values.at(0)));
  }
}

// The answer of a bisection, whole or as far as it came.
void judge(Search& search, const SearchRuns& runs, const Bisection& plan, const Values& values, bool whole) {
  const auto boundary = plan.last_surviving();
  const auto count = values.count();
  const std::string name = search.over + " ";
  if (plan.tallies().empty()) {
    search.said = "nothing is known: no run came to its end";
    return;
  }
  search.limit_bytes = plan.limit_bytes();
  if (boundary >= 0 && plan.tallies().contains(boundary)) search.survives = values.at(boundary);
  auto death_at = plan.tallies().upper_bound(boundary);
  while (death_at != plan.tallies().end() && !death_at->second.died) ++death_at;
  if (death_at != plan.tallies().end()) {
    search.dies = values.at(death_at->first);
    search.death = runs.tried(*search.dies)->death;
  }
  const std::string dying = search.dies ? *search.dies + " " + death_verb(*search.death, search.limit_bytes) : "";
  if (!search.survives) search.said = name + dying + ", and that is the harmless end: none is known to survive";
  else if (!search.dies) search.said = name + "from " + values.at(0) + " to " + *search.survives + " survives: no value that was tried dies";
  else search.said = name + *search.survives + " survives, " + dying;
  const bool beside = death_at != plan.tallies().end() && death_at->first == boundary + 1;
  search.answered = whole && (beside || boundary + 1 >= count || boundary < 0);
  if (search.survives && search.dies && !beside) search.said += "; between them is not known";
  if (const auto line = plan.peaks(); line && search.limit_bytes && beside) {
    search.bytes_per_value = static_cast<std::uint64_t>(line->each_bytes);
    search.said += "; " + capture::size_words(line->each_bytes) + " each";
  }
}

Result<Search> bisect_in_order(const SearchWish& wish, const Over& over, bool smallest) {
  const Values values(over, smallest);
  SearchRuns runs(wish);
  Bisection plan(values.count(), wish.votes);
  bool whole = true;
  while (const auto place = plan.next()) {
    const auto value = values.at(*place);
    const auto end = runs.run(value, with_value(wish.recipe.argv, over.name, value));
    if (!end) return std::unexpected(end.error());
    if (!*end) {
      whole = false;
      break;
    }
    if ((*end)->died) plan.saw_die(*place, (*end)->limit_bytes);
    else plan.saw_survive(*place, (*end)->peak_bytes);
  }
  Search search{.over = over.name};
  judge(search, runs, plan, values, whole);
  note_contradictions(search, plan, values, smallest);
  if (over.kind == Over::list)
    search.notes.push_back("the list is long: taken for granted that the outcome turns once along it");
  runs.conclude(search);
  return search;
}

}  // namespace

Result<Search> bisect(const SearchWish& wish, const Over& over, bool smallest) {
  if (!mentions(wish.recipe.argv, over.name))
    return failure("nothing to vary", "the command does not say {" + over.name + "}", "put {" + over.name + "} where the value goes");
  if (over.kind == Over::lines) return bisect_lines(wish, over);
  if (over.kind == Over::list && over.values.size() <= short_list) return bisect_short_list(wish, over);
  return bisect_in_order(wish, over, smallest);
}

}  // namespace sigwhy::experiment
