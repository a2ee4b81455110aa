#include "cli/command.h"

namespace sigwhy::cli::commands {

static Result<int> run_version(const Arguments&, Output& output) {
  output.out = "sigwhy " SIGWHY_VERSION "\n";
  return 0;
}

extern const Command version;
const Command version = {.place = 17, .summary = "Print the version", .run = run_version};

}  // namespace sigwhy::cli::commands
