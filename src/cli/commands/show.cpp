// The report of a stored case again, in any format.
#include "cli/chosen.h"

namespace sigwhy::cli::commands {

static Result<int> run_show(const Arguments& arguments, Output& output) {
  const auto c = chosen_case(arguments);
  if (!c) return std::unexpected(c.error());
  auto text = shown(*c, arguments);
  if (!text) return std::unexpected(text.error());
  output.out = std::move(*text);
  return 0;
}

static constexpr Example examples[] = {
    {"sigwhy show", "the newest case"},
    {"sigwhy show 4f1c --full", "everything about the case whose id begins with 4f1c"},
    {"sigwhy show --json | jq -r .diagnosis.verdict", "its cause id"},
};

extern const Command show;
const Command show = {.place = 2,
                      .summary = "Show a kept case again",
                      .operands = "[CASE]",
                      .description = "CASE is the id at the end of a report or the start of one; without it the newest case is shown.",
                      .takes = Operands::at_most_one,
                      .options = showing_options(),
                      .examples = examples,
                      .run = run_show};

}  // namespace sigwhy::cli::commands
