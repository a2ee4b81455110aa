#include "experiment/stress.h"

#include "experiment/over.h"

namespace sigwhy::experiment {

namespace {

constexpr const char* thread_variables[] = {
    "OMP_NUM_THREADS",         "MKL_NUM_THREADS",         "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS",
    "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "VECLIB_MAXIMUM_THREADS", "RAYON_NUM_THREADS"};

struct One {
  std::string name;
  std::vector<std::string> argv;
  Change change;
};

std::vector<One> all_of(const SearchWish& wish, const Combinations& combinations) {
  const std::vector<std::string> none = {""};
  std::vector<One> list;
  for (const auto& size : combinations.sizes.empty() ? none : combinations.sizes) {
    for (const auto& threads : combinations.threads.empty() ? none : combinations.threads) {
      One one{.argv = wish.recipe.argv, .change = wish.change};
      one.change.run_options.push_back("--guard=all");
      if (!size.empty()) {
        one.name = "size " + size;
        one.argv = with_value(one.argv, "size", size);
      }
      if (!threads.empty()) {
        one.name += (one.name.empty() ? "" : ", ") + threads + (threads == "1" ? " thread" : " threads");
        one.argv = with_value(one.argv, "threads", threads);
        for (const char* variable : thread_variables) one.change.set.emplace_back(variable, threads);
      }
      list.push_back(std::move(one));
    }
  }
  return list;
}

}  // namespace

Result<Search> stress(const SearchWish& wish, const Combinations& combinations) {
  if (!combinations.sizes.empty() && !mentions(wish.recipe.argv, "size"))
    return failure("nothing to vary", "the command does not say {size}", "put {size} where the size goes");
  SearchRuns runs(wish);
  Search search{.over = "combination", .answered = true};
  const auto list = all_of(wish, combinations);
  for (const auto& one : list) {
    for (int i = 0; i < wish.votes && search.answered; ++i) {
      const auto end = runs.run(one.name, one.argv, one.change);
      if (!end) return std::unexpected(end.error());
      search.answered = end->has_value();
      if (search.answered && (*end)->died) break;
    }
  }
  runs.conclude(search);
  std::size_t dying = 0;
  for (const auto& tried : search.tried) {
    dying += tried.died > 0;
    if (tried.died && !search.death) search.death = tried.death;
  }
  search.said = (dying ? std::to_string(dying) : std::string("none")) + " of " + std::to_string(search.tried.size()) +
                " combinations " + (dying <= 1 ? "dies" : "die");
  return search;
}

}  // namespace sigwhy::experiment
