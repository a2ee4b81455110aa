// A real crash to look at: runs one of the bundled programs under sigwhy.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/installed.h"

namespace sigwhy::cli::commands {

namespace {

constexpr const char* usual = "out_of_bounds";

std::vector<std::string> programs_in(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.is_regular_file() && ::access(entry.path().c_str(), X_OK) == 0) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

Result<int> run_under_sigwhy(const std::string& program) {
  const auto front = front_program();
  if (!front) return std::unexpected(front.error());
  ::execl(front->c_str(), front->c_str(), "run", "--", program.c_str(), static_cast<char*>(nullptr));
  return std::unexpected(errno_error("cannot start " + *front, errno));
}

Result<int> run_demo(const Arguments& arguments, Output& output) {
  const auto folder = demo_folder();
  if (!folder) return std::unexpected(folder.error());
  const auto names = programs_in(*folder);
  if (arguments.has("list")) {
    for (const auto& name : names) output.out += name + "\n";
    return 0;
  }
  const auto name = arguments.operands.empty() ? usual : arguments.operands[0];
  if (std::ranges::find(names, name) == names.end())
    return failure("no bundled program is called " + name, "", fmt::format("there are: {}", fmt::join(names, ", ")));
  return run_under_sigwhy(*folder + "/" + name);
}

constexpr Option options[] = {{.name = "list", .help = "name the bundled programs"}};

}  // namespace

extern const Command demo;
const Command demo = {.place = 8,
                      .summary = "Crash a bundled program and explain it",
                      .operands = "[NAME]",
                      .description = "The crash is real; nothing of it is prepared.",
                      .takes = Operands::at_most_one,
                      .options = options,
                      .run = run_demo};

}  // namespace sigwhy::cli::commands
