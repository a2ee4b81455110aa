#include "cli/help.h"

namespace sigwhy::cli::commands {

static Result<int> run_completion(const Arguments& arguments, Output& output) {
  if (arguments.operands[0] != "bash") return failure("no completion for " + arguments.operands[0], "there is one for bash");
  output.out = bash_completion();
  return 0;
}

static constexpr Example examples[] = {{"source <(sigwhy completion bash)", "for this shell"}};

extern const Command completion;
const Command completion = {.place = 16,
                            .summary = "Print the completion of a shell",
                            .operands = "bash",
                            .takes = Operands::one,
                            .examples = examples,
                            .run = run_completion};

}  // namespace sigwhy::cli::commands
