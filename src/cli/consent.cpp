#include "cli/consent.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "report/words.h"
#include "store/folder.h"

namespace sigwhy::cli {

namespace {

bool answer_is_yes() {
  fprintf(stderr, "Run it as it is? [y/N] ");
  char line[16] = "";
  return ::fgets(line, sizeof line, stdin) && (line[0] == 'y' || line[0] == 'Y');
}

// Beside the cases: on a disk, and the user's own.
std::string layers_folder() {
  const auto cases = store::case_folder();
  return cases.starts_with('/') ? cases + "/layers" : "";
}

}  // namespace

Result<void> agree_on_layer(experiment::Bounds& bounds, bool yes, const std::vector<std::string>& command) {
  bounds.layers_folder = layers_folder();
  const auto tried = experiment::try_layer(bounds.layers_folder, bounds.network);
  if (tried) return {};
  if (!yes) {
    const auto& why = tried.error();
    fprintf(stderr, "sigwhy: %s: %s\n", why.what.c_str(), why.cause.c_str());
    if (!why.remedy.empty()) fprintf(stderr, "  to get one: %s\n", why.remedy.c_str());
    fprintf(stderr, "  It would run this again and again, and what it writes stays written:\n    %s\n",
            report::command_text(command).c_str());
    if (!::isatty(STDIN_FILENO) || !answer_is_yes())
      return failure("nothing was run", "without a layer only when you say so", "--yes");
  }
  bounds.without_layer = true;
  return {};
}

}  // namespace sigwhy::cli
