// What `sigwhy run` was asked to do. Read by the static front; the same table makes its help.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/parse.h"

namespace sigwhy::cli {

enum class Colour { automatic, always, never };
enum class Values { usual, shown, hidden };

struct RunOptions {
  bool help = false;  // asked for help: nothing is run
  std::string json_file;
  bool full = false;
  bool quiet = false;
  bool always = false;
  bool ptrace = true;
  bool tee = false;
  std::string guard;  // "sampled", "all", "before"; empty: no guarded heap
  bool forecast = false;
  double hang_s = 0;  // 0: hangs are not looked for
  bool kill_hung = false;
  std::string termination_log;
  std::string tensorboard;
  Colour colour = Colour::automatic;
  Values values = Values::usual;
  std::vector<std::string> command;
  std::vector<std::string> notes;  // lines to say once on stderr: settings that make no sense and the like
};

std::span<const Option> run_option_table();

// argv behind "run". Flags come first, then SIGWHY_OPTIONS, then the settings files; a mistake in those two is a
// note, a mistake in the flags an error.
Result<RunOptions> parse_run(int argc, char** argv);

// Colours as `--colour` and `--no-colour` ask for them.
Colour colour_of(const Arguments& arguments);

}  // namespace sigwhy::cli
