#include "cli/dispatch.h"

#include <unistd.h>

#include <algorithm>

#include "cli/did_you_mean.h"
#include "cli/error_line.h"
#include "cli/help.h"
#include "cli/terminal.h"

namespace sigwhy::cli {

namespace {

constexpr int failed = 1;
constexpr int wrong_call = 2;

int complain(const Error& error, Output& output, int status) {
  output.err += error_line(error) + "\n";
  return status;
}

// Prose wider than 80 columns is hard to read, however wide the terminal is.
int help_columns(int fd) { return std::min(80, look_for(fd, Colour::never).columns); }

int show_help(const std::vector<std::string>& words, Output& output) {
  if (words.size() < 2) {
    output.out = overview_text(help_columns(STDOUT_FILENO));
    return 0;
  }
  for (const auto& named : shown_commands()) {
    if (named.name != words[1]) continue;
    output.out = help_text(named, help_columns(STDOUT_FILENO));
    return 0;
  }
  return complain({"no command is called " + words[1], "", did_you_mean({words[1]})}, output, wrong_call);
}

}  // namespace

int dispatch(const std::vector<std::string>& words, Output& output) {
  if (words.empty()) {
    output.err = overview_text(help_columns(STDERR_FILENO));
    return wrong_call;
  }
  if (words[0] == "--help" || words[0] == "-h" || words[0] == "help") return show_help(words, output);
  const std::string name = words[0] == "--version" ? "version" : words[0];
  const Command* command = find_command(name);
  if (!command) return complain({"no command is called " + name, "", did_you_mean(words)}, output, wrong_call);
  const auto arguments = parse(command->options, command->takes, std::span(words).subspan(1));
  if (!arguments) return complain(arguments.error(), output, wrong_call);
  if (arguments->has("help")) return show_help({"help", name}, output);
  const auto status = command->run(*arguments, output);
  return status ? *status : complain(status.error(), output, failed);
}

}  // namespace sigwhy::cli
