#include "cli/help.h"

namespace sigwhy::cli::commands {

static Result<int> run_man(const Arguments&, Output& output) {
  output.out = man_page();
  return 0;
}

static constexpr Example examples[] = {{"sigwhy man > ~/.local/share/man/man1/sigwhy.1", "install it for one user"}};

extern const Command man;
const Command man = {.place = 15, .summary = "Print the manual page, in roff", .examples = examples, .run = run_man};

}  // namespace sigwhy::cli::commands
