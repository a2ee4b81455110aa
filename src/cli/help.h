// --help, the man page and the bash completion, all from the command tables.
#pragma once
#include <string>

#include "cli/command.h"

namespace sigwhy::cli {

std::string overview_text(int columns = 80);                           // sigwhy --help
std::string help_text(const NamedCommand& named, int columns = 80);    // sigwhy CMD --help
std::string man_page();                                                // roff
std::string bash_completion();

}  // namespace sigwhy::cli
