#include "cli/command.h"
#include "evidence/json.h"
#include "evidence/schema_table.h"

namespace sigwhy::cli::commands {

static Result<int> run_schema(const Arguments& arguments, Output& output) {
  output.out = arguments.has("table") ? schema_table(case_schema()) : case_schema();
  return 0;
}

static constexpr Option options[] = {{.name = "table", .help = "its fields as a Markdown table"}};

extern const Command schema;
const Command schema = {.place = 14,
                        .summary = "Print the JSON Schema of a case",
                        .description = "What --json writes and the case folder holds is valid under it.",
                        .options = options,
                        .run = run_schema};

}  // namespace sigwhy::cli::commands
