#include "cli/confirm_options.h"

#include <charconv>

namespace sigwhy::cli {

namespace {

constexpr Option table[] = {
    {.name = "only", .value = "NAMES", .help = "try these variations alone, with commas between them"},
    {.name = "list", .help = "say what would be tried and why, and run nothing more"},
    {.name = "param", .value = "NAME=VALUE", .help = "also try this value of a parameter: --batch 512 becomes --batch VALUE"},
    {.name = "version", .value = "PACKAGE", .help = "also try this version of a package, got with the program's pip: numpy<2"},
    {.name = "sizes", .value = "LIST", .help = "instead: run COMMAND with {size} being each of these, under the guarded heap"},
    {.name = "threads", .value = "LIST", .help = "likewise {threads}, which OMP_NUM_THREADS and its like are set to as well"},
    {.name = "runs", .value = "N", .help = "at most N runs of each kind (20)"},
    {.name = "time", .value = "SECONDS", .help = "begin no new run after this time (900)"},
    {.name = "timeout", .value = "SECONDS", .help = "end a single run after this time"},
    {.name = "network", .help = "let the runs use the network"},
    {.name = "yes", .help = "run it even where no throw-away layer can be made: files it writes are changed for good"},
    {.name = "verbose", .help = "one line on stderr for each run"},
    {.name = "full", .help = "everything that was seen, not one screen"},
    {.name = "json", .help = "the case itself, as JSON"},
    colour_option,
    no_colour_option,
};

template <class T>
Result<void> take_number(const Arguments& arguments, const char* name, T& number) {
  const auto text = arguments.value(name);
  if (!text) return {};
  const auto end = text->data() + text->size();
  if (std::from_chars(text->data(), end, number).ptr == end && number > 0) return {};
  return failure(std::string("--") + name, "\"" + *text + "\" is no number above 0");
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    if (end > at) parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

}  // namespace

std::span<const Option> confirm_options() { return table; }

Result<void> take_wishes(const Arguments& arguments, experiment::Wishes& wishes, experiment::Bounds& bounds) {
  for (const auto& taken : {take_number(arguments, "runs", wishes.runs), take_number(arguments, "time", wishes.seconds),
                           take_number(arguments, "timeout", bounds.seconds)})
    if (!taken) return taken;
  if (const auto names = arguments.value("only")) wishes.only = split(*names);
  for (auto& name : wishes.only)
    for (char& c : name) c = c == '_' ? '-' : c;
  if (const auto parameter = arguments.value("param")) {
    const auto equals = parameter->find('=');
    if (equals == 0 || equals == parameter->npos) return failure("--param", "\"" + *parameter + "\" is not NAME=VALUE");
    wishes.parameters.push_back({parameter->substr(0, equals), parameter->substr(equals + 1)});
  }
  wishes.version = arguments.value("version").value_or("");
  bounds.network = arguments.has("network");
  return {};
}

}  // namespace sigwhy::cli
