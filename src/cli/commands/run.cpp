// `sigwhy run` itself is the static front's work; here it has its table, and whoever calls the developing program
// directly is told.
#include "cli/run_options.h"

#include "cli/command.h"

namespace sigwhy::cli::commands {

static Result<int> run_run(const Arguments&, Output&) {
  return failure("run", "this program develops; it does not run others", "call sigwhy run -- COMMAND...");
}

static constexpr Example examples[] = {
    {"sigwhy run -- python train.py", "nothing is printed unless it dies"},
    {"sigwhy run --json case.json -- ./solver data.bin", "the case as JSON for a script"},
};

// The table lies in another library, so it is asked for, not copied.
extern const Command run;
const Command run = {
    .place = 1,
    .summary = "Run a program; when it dies, say why",
    .operands = "-- COMMAND...",
    .description =
        "The program is the caller's own child and behaves as without sigwhy: same exit status, signal, core file, "
        "descriptors, terminal and environment. sigwhy is silent while it lives. After a death by signal the report goes "
        "to stderr, before the shell sees the end, and a case is kept.\n"
        "\n"
        "What a tracer cannot hide: no other debugger can attach meanwhile, a set-user-id program started below gets no "
        "privilege, and TracerPid is set. --no-ptrace or `sigwhy release PID` is the way out.\n"
        "\n"
        "Every option can be set for good: in SIGWHY_OPTIONS, in $XDG_CONFIG_HOME/sigwhy.toml (else ~/.config/sigwhy.toml) "
        "or in /etc/sigwhy.toml (always = true). SIGWHY=0 runs the program and nothing else; SIGWHY_DIR is the case "
        "folder. sigwhy's own errors exit with 125.",
    .takes = Operands::command,
    .options = run_option_table(),
    .examples = examples,
    .run = run_run};

}  // namespace sigwhy::cli::commands
