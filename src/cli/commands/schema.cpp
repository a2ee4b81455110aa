#include "cli/command.h"
#include "evidence/json.h"

namespace sigwhy::cli::commands {

static Result<int> run_schema(const Arguments&, Output& output) {
  output.out = case_schema();
  return 0;
}

extern const Command schema;
const Command schema = {.place = 9,
                        .summary = "Print the JSON Schema of a case",
                        .description = "What `--json` writes and the case folder holds is valid under it.",
                        .run = run_schema};

}  // namespace sigwhy::cli::commands
