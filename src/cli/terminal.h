// What the descriptor that a report goes to can show.
#pragma once
#include <string>

#include "cli/run_options.h"
#include "report/look.h"

namespace sigwhy::cli {

// Colour only on a terminal that is not "dumb" and without NO_COLOR, unless asked for; at most 100 columns, 80
// where there is no terminal; ASCII unless the locale says UTF-8.
report::Look look_for(int fd, Colour colour);

// Written before a report so that it begins on a line of its own: a progress bar may have left the cursor
// anywhere. Nothing visible where it stands at the start of a line already.
std::string fresh_line(int fd, const report::Look& look);

}  // namespace sigwhy::cli
