#include "cli/stress_run.h"

#include <utility>

#include "cli/search_wish.h"
#include "experiment/interrupt.h"
#include "experiment/over.h"
#include "experiment/stress.h"

namespace sigwhy::cli {

bool wants_stress(const Arguments& arguments) { return arguments.has("sizes") || arguments.has("threads"); }

Result<int> run_stress(const Arguments& arguments, Output& output) {
  if (!arguments.behind_dashes)
    return failure("--sizes and --threads", "they need a command that says {size} or {threads}", "sigwhy confirm --sizes 1,64 -- COMMAND {size}");
  auto wish = search_wish(arguments, 1);
  if (!wish) return std::unexpected(wish.error());
  // Here --runs is how often each combination runs.
  if (arguments.has("runs")) wish->votes = std::exchange(wish->most_runs, 0);
  const experiment::InterruptNoted noted;
  const auto found = experiment::stress(*wish, {experiment::split_list(arguments.value("sizes").value_or("")),
                                                experiment::split_list(arguments.value("threads").value_or(""))});
  if (!found) return std::unexpected(found.error());
  return show_search(*found, arguments, output);
}

}  // namespace sigwhy::cli
