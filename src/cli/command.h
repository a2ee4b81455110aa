// A command is data and one function; one file per command in commands/, the file name is its name:
//
//     extern const Command show;
//     const Command show = {.place = 2, .summary = "...", .run = run};
//
// Its table feeds parsing, --help, the man page and the completion alike.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/option.h"
#include "cli/parse.h"

namespace sigwhy::cli {

struct Example {
  const char* command;
  const char* what;
};

// What a command says; main writes it.
struct Output {
  std::string out;
  std::string err;
};

struct Command {
  int place = 0;                 // order in the help; 0: internal, shown nowhere
  const char* summary = "";      // one line
  const char* operands = "";     // as the usage line writes them: "[CASE]"
  const char* description = "";  // paragraphs, an empty line between them; indented lines stay as they are
  Operands takes = Operands::none;
  std::span<const Option> options = {};
  std::span<const Example> examples = {};
  Result<int> (*run)(const Arguments&, Output&) = nullptr;  // the exit status
};

std::span<const Command* const> all_commands();
std::span<const char* const> names_of_commands();  // in the same order

struct NamedCommand {
  std::string_view name;
  const Command* command;
};

const Command* find_command(std::string_view name);

// Those a user sees, in the order of the help.
std::vector<NamedCommand> shown_commands();

}  // namespace sigwhy::cli
