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

// The lab is a Python program: who has a dying TensorFlow program has Python.
Result<int> run_lab(const Arguments& arguments) {
  const auto script = lab_program();
  if (!script) return std::unexpected(script.error());
  const auto front = front_program();
  if (!front) return std::unexpected(front.error());
  std::vector<std::string> words = {"python3", *script, "--sigwhy", *front};
  for (const auto* name : {"environment", "python"})
    if (const auto value = arguments.value(name)) words.insert(words.end(), {fmt::format("--{}", name), *value});
  for (const auto* name : {"list", "brief"})
    if (arguments.has(name)) words.push_back(fmt::format("--{}", name));
  words.insert(words.end(), arguments.operands.begin(), arguments.operands.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  return std::unexpected(errno_error("cannot start python3", errno));
}

Result<int> run_demo(const Arguments& arguments, Output& output) {
  if (arguments.has("lab")) return run_lab(arguments);
  for (const auto* name : {"environment", "python", "brief"})
    if (arguments.has(name)) return failure(fmt::format("--{} is for the lab", name), "", "add --lab");
  if (arguments.operands.size() > 1) return failure("demo runs one program at a time", "", "the lab runs many: add --lab");
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

constexpr Option options[] = {
    {.name = "lab", .help = "programs of the lab instead: each broken, explained, proven, and repaired"},
    {.name = "list", .help = "name the bundled programs, or those of the lab"},
    {.name = "python", .value = "BIN", .help = "for the lab: the interpreter with TensorFlow or torch (python3)"},
    {.name = "environment", .value = "NAME", .help = "for the lab: in an environment that pip makes at the first use, such as tensorflow"},
    {.name = "brief", .help = "for the lab: one line each"},
};

constexpr Example examples[] = {
    {"sigwhy demo", "a crash and its report"},
    {"sigwhy demo --lab --list", "the causes that people name for dying TensorFlow programs"},
    {"sigwhy demo --lab op_overflow --python venv/bin/python", "one of them, with your TensorFlow"},
};

}  // namespace

extern const Command demo;
const Command demo = {.place = 12,
                      .summary = "Crash a bundled program and explain it",
                      .operands = "[NAME...]",
                      .description =
                          "The crash is real; nothing of it is prepared.\n"
                          "\n"
                          "With --lab it is one or all of the lab: for every cause that is commonly named for a dying "
                          "TensorFlow program a broken program and its repaired twin. The broken one is explained, `confirm` "
                          "settles its case, the twin ends well without a word. Where the common answer is wrong, both do.",
                      .takes = Operands::any,
                      .options = options,
                      .examples = examples,
                      .run = run_demo};

}  // namespace sigwhy::cli::commands
