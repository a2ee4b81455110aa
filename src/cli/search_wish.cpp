#include "cli/search_wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <sstream>

#include "cli/consent.h"
#include "cli/installed.h"
#include "cli/terminal.h"
#include "experiment/over.h"
#include "report/search_text.h"

namespace sigwhy::cli {

namespace {

Result<void> take_count(const Arguments& arguments, const char* name, int& count) {
  const auto text = arguments.value(name);
  if (!text) return {};
  count = std::atoi(text->c_str());
  return count > 0 ? Result<void>{} : failure("--" + std::string(name) + " " + *text, "it is a number from 1");
}

template <class T>
Result<void> take(const Arguments& arguments, const char* name, Result<T> (*parse)(const std::string&), auto& place) {
  const auto text = arguments.value(name);
  if (!text) return {};
  const auto value = parse(*text);
  if (!value) return std::unexpected(value.error());
  place = *value;
  return {};
}

// One line that is written over; nothing where nobody would see it change.
void show_progress(const std::string& text) {
  if (::isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s", text.c_str());
}

}  // namespace

Recipe recipe_of_command(const std::vector<std::string>& command) {
  Recipe recipe{.argv = command};
  for (char** variable = environ; *variable; ++variable) recipe.environment.emplace_back(*variable);
  char directory[4096];
  if (::getcwd(directory, sizeof directory)) recipe.directory = directory;
  struct stat status {};
  char input[4096] = "";
  if (::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
      ::readlink("/proc/self/fd/0", input, sizeof input - 1) > 0)
    recipe.input = input;
  return recipe;
}

Result<void> can_be_run(const std::string& program) {
  if (program.find('/') != std::string::npos)
    return ::access(program.c_str(), X_OK) == 0 ? Result<void>{} : std::unexpected(errno_error("cannot run " + program, errno));
  const char* path = ::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return {};
  return failure("command not found: " + program, "");
}

Result<experiment::SearchWish> search_wish(const Arguments& arguments, int votes) {
  using namespace experiment;
  if (arguments.operands.empty()) return failure("what is to be run?", "no command is given", "sigwhy bisect --over n=1..64 -- ./solve -j {n}");
  SearchWish wish{.recipe = recipe_of_command(arguments.operands), .votes = votes, .progress = show_progress};
  for (const auto& taken : {take(arguments, "memory", parse_size, wish.change.memory_bytes),
                           take(arguments, "disk", parse_size, wish.bounds.layer_bytes),
                           take(arguments, "time", parse_time, wish.most_seconds),
                           take(arguments, "timeout", parse_time, wish.bounds.seconds),
                           take_count(arguments, "votes", wish.votes), take_count(arguments, "runs", wish.most_runs)})
    if (!taken) return std::unexpected(taken.error());
  wish.bounds.network = arguments.has("network");
  const auto front = front_program();
  if (!front) return std::unexpected(front.error());
  wish.bounds.sigwhy = *front;
  if (auto there = can_be_run(arguments.operands[0]); !there) return std::unexpected(there.error());
  if (auto agreed = agree_on_layer(wish.bounds, arguments.has("yes"), arguments.operands); !agreed)
    return std::unexpected(agreed.error());
  return wish;
}

int show_search(const Search& search, const Arguments& arguments, Output& output) {
  show_progress("");
  output.out = arguments.has("json") ? to_json(search) + "\n"
                                     : report::search_text(search, look_for(STDOUT_FILENO, colour_of(arguments)));
  return search.answered ? 0 : 1;
}

}  // namespace sigwhy::cli
