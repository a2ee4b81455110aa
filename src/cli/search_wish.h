// What the commands that search by re-runs have in common: the command as a recipe, the bounds, the progress line, the
// answer on the page.
#pragma once
#include <string>
#include <vector>

#include "cli/command.h"
#include "evidence/search.h"
#include "experiment/search_runs.h"

namespace sigwhy::cli {

// The command behind "--" as it would run from here.
Recipe recipe_of_command(const std::vector<std::string>& command);

// A program that is not there is said once, not found out by runs that all fail alike.
Result<void> can_be_run(const std::string& program);

// From --memory, --disk, --time, --timeout, --votes, --runs, --network and --yes, as far as the command has them.
// Asks the user where no layer can be had.
Result<experiment::SearchWish> search_wish(const Arguments& arguments, int votes);

// The exit status for it.
int show_search(const Search& search, const Arguments& arguments, Output& output);

}  // namespace sigwhy::cli
