#include "cli/chosen.h"

#include <unistd.h>

#include "cli/lost_runs.h"
#include "cli/settings.h"
#include "cli/terminal.h"
#include "evidence/json.h"
#include "report/render.h"
#include "store/folder.h"

namespace sigwhy::cli {

namespace {

constexpr Option options[] = {
    {.name = "full", .help = "everything that was seen, not one screen"},
    {.name = "json", .help = "the case itself, as JSON"},
    {.name = "format", .value = "NAME", .help = "terminal or full"},
    colour_option,
    no_colour_option,
};

}  // namespace

store::Store open_store() {
  store::Store store(store::case_folder());
  adopt_lost_runs(store);
  return store;
}

Result<Case> chosen_case(const Arguments& arguments) {
  const auto cases = open_store();
  return arguments.operands.empty() ? cases.newest() : cases.load(arguments.operands[0]);
}

std::span<const Option> showing_options() { return options; }

Result<std::string> shown(const Case& c, const Arguments& arguments, const std::string& again) {
  if (arguments.has("json")) return to_json(c) + "\n";
  const auto settings = overlaid(load_settings().values, arguments);
  const auto format = arguments.value("format").value_or(arguments.has("full") ? "full" : "terminal");
  return report::render(c, format, look_for(STDOUT_FILENO, colour_of(settings)), again);
}

}  // namespace sigwhy::cli
