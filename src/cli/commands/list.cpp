// All kept cases, grouped.
#include <unistd.h>

#include "cli/chosen.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "report/listing.h"

namespace sigwhy::cli::commands {

static Result<int> run_list(const Arguments& arguments, Output& output) {
  if (arguments.has("ids")) {
    const auto ids = open_store().ids();
    if (!ids) return std::unexpected(ids.error());
    for (const auto& id : *ids) output.out += id + "\n";
    return 0;
  }
  std::vector<report::Summary> cases;
  const auto broken = open_store().each([&](const Case& c) { cases.push_back(report::summarise(c)); });
  if (!broken) return std::unexpected(broken.error());
  const auto settings = overlaid(load_settings().values, arguments);
  output.out = report::draw_list(cases, *broken, look_for(STDOUT_FILENO, colour_of(settings)));
  return 0;
}

static constexpr Option options[] = {
    {.name = "ids", .help = "the ids alone, newest first"},
    colour_option,
    no_colour_option,
};

extern const Command list;
const Command list = {.place = 3,
                      .summary = "List the kept cases, those that died alike together",
                      .description = "Newest first. 200 cases are kept (before a crash is dropped, plain exits are), in SIGWHY_DIR, else in $XDG_STATE_HOME/sigwhy/cases, "
                                     "else in ~/.local/state/sigwhy/cases, else, where no home can be written to, in /tmp/sigwhy-UID.",
                      .options = options,
                      .run = run_list};

}  // namespace sigwhy::cli::commands
