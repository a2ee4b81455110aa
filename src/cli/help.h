// --help, the man page and the bash completion, all from the command tables.
#pragma once
#include <string>

#include "cli/command.h"

namespace sigwhy::cli {

std::string overview_text();                       // sigwhy --help
std::string help_text(const NamedCommand& named);  // sigwhy CMD --help
std::string man_page();                            // roff
std::string bash_completion();

}  // namespace sigwhy::cli
