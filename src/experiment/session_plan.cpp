#include <algorithm>

#include "experiment/session.h"

namespace sigwhy::experiment {

namespace {

Result<void> check_names(const Wishes& wishes) {
  const auto names = names_of_variations();
  for (const auto& wanted : wishes.only) {
    if (std::ranges::find(names, wanted, [](const char* n) { return std::string(n); }) != names.end()) continue;
    std::string all;
    for (const char* name : names) all += (all.empty() ? "" : ", ") + std::string(name);
    return failure("no variation is called " + wanted, "", "there are: " + all);
  }
  return {};
}

bool is_wanted(const Wishes& wishes, const std::string& name, Effect effect) {
  return wishes.only.empty() || effect == Effect::again || std::ranges::count(wishes.only, name) > 0;
}

}  // namespace

Result<SessionPlan> plan_session(const Subject& subject) {
  if (auto known = check_names(subject.wishes); !known) return std::unexpected(known.error());
  SessionPlan session;
  const auto variations = all_variations();
  for (std::size_t i = 0; i < variations.size(); ++i) {
    const std::string name = names_of_variations()[i];
    auto plan = variations[i]->plan(subject);
    if (!plan) session.refused.push_back({name, plan.error()});
    else if (is_wanted(subject.wishes, name, plan->effect))
      session.steps.push_back({name, variations[i]->title, std::move(*plan)});
  }
  std::ranges::stable_sort(session.steps, std::greater{}, [](const Step& s) { return s.planned.rank; });
  return session;
}

Change over(Change base, const Change& change) {
  const auto append = [](auto& list, const auto& more) { list.insert(list.end(), more.begin(), more.end()); };
  append(base.set, change.set);
  append(base.unset, change.unset);
  append(base.run_options, change.run_options);
  append(base.python_path, change.python_path);
  append(base.masked_cpu_features, change.masked_cpu_features);
  append(base.files, change.files);
  base.start_up += change.start_up;
  if (change.argv) base.argv = change.argv;
  if (change.memory_bytes) base.memory_bytes = change.memory_bytes;
  return base;
}

}  // namespace sigwhy::experiment
