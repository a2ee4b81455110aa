// sigwhy: the front. `sigwhy run` starts the supervisor and then becomes the program by exec; every other command
// is handed by exec to the developing program. Static and small, because it stands in front of every job.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "capture/companion.h"
#include "capture/guard_preload.h"
#include "capture/init.h"
#include "capture/launch.h"
#include "capture/nesting.h"
#include "cli/error_line.h"
#include "cli/run_options.h"
#include "store/folder.h"

namespace sigwhy::cli {

namespace {

constexpr int own_error = 125;
constexpr int not_executable = 126;
constexpr int not_found = 127;

void say(const std::string& line) { fprintf(stderr, "%s\n", line.c_str()); }

// memfd_create, the youngest thing we cannot do without, came with 3.17.
bool kernel_is_old() {
  utsname name{};
  int major = 0, minor = 0;
  if (uname(&name) != 0 || sscanf(name.release, "%d.%d", &major, &minor) != 2) return false;
  return major < 3 || (major == 3 && minor < 17);
}

int hand_over(char** words) {
  auto command = capture::companion_command();
  if (command.empty()) {
    say("sigwhy: sigwhy-develop is missing: it should lie beside this program or in ../lib/sigwhy (install again)");
    return own_error;
  }
  std::vector<char*> argv;
  for (auto& word : command) argv.push_back(word.data());
  for (; *words; ++words) argv.push_back(*words);
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  say(error_line(errno_error("cannot start " + command.back(), errno)));
  return own_error;
}

std::string own_directory() {
  char directory[4096];
  return getcwd(directory, sizeof directory) ? directory : "";
}

std::string absolute(const std::string& path) {
  if (path.empty() || path[0] == '/') return path;
  const auto directory = own_directory();
  return directory.empty() ? path : directory + "/" + path;
}

std::string own_input() {
  char target[4096];
  const auto size = ::readlink("/proc/self/fd/0", target, sizeof target);
  return {target, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

const char* word(Colour colour) {
  return colour == Colour::always ? "always" : colour == Colour::never ? "never" : "auto";
}

capture::Plan plan_for(const RunOptions& options) {
  capture::Plan plan{.quiet = options.quiet,
                     .always = options.always,
                     .wants_case = !options.json_file.empty(),
                     .use_ptrace = options.ptrace,
                     .tee = options.tee,
                     .command = options.command,
                     .directory = own_directory(),
                     .input = own_input(),
                     .guard = options.guard,
                     .hang_s = options.hang_s,
                     .kill_hung = options.kill_hung,
                     .forecast = options.forecast,
                     .termination_log = absolute(options.termination_log),
                     .tensorboard = absolute(options.tensorboard)};
  auto& arguments = plan.developer_arguments;
  arguments = {"--colour", word(options.colour)};
  if (!options.json_file.empty()) arguments.insert(arguments.end(), {"--json", absolute(options.json_file)});
  if (!plan.termination_log.empty()) arguments.insert(arguments.end(), {"--termination-log", plan.termination_log});
  if (options.full) arguments.push_back("--full");
  if (options.values == Values::shown) arguments.push_back("--values");
  if (options.values == Values::hidden) arguments.push_back("--no-values");
  plan.case_folder = absolute(store::case_folder());
  plan.make_case_folder = [](const std::string& folder) { return store::make_folder(folder).has_value(); };
  // The supervisor works from "/"; a relative case folder is meant from here.
  if (const char* folder = getenv("SIGWHY_DIR"); folder && *folder)
    arguments.insert(arguments.end(), {"--cases", absolute(folder)});
  return plan;
}

// One clear line, in the words the reader's shell would use, and the exit codes that env and nohup use.
int exec_failure(const std::string& program, int error) {
  struct stat status {};
  const bool exists = program.find('/') != std::string::npos && stat(program.c_str(), &status) == 0;
  if (error == ENOENT && exists)
    say("sigwhy: cannot run " + program + ": the interpreter or loader that it names is not there");
  else if (error == ENOENT || error == ENOTDIR)
    say("sigwhy: command not found: " + program);
  else if (exists && S_ISDIR(status.st_mode))
    say("sigwhy: cannot run " + program + ": it is a directory");
  else
    say("sigwhy: cannot run " + program + ": " + strerror(error));
  return error == ENOENT || error == ENOTDIR ? not_found : not_executable;
}

// Asked for, so it is said where it cannot be had; the program runs all the same.
void make_tensorboard_folder(RunOptions& options) {
  if (options.tensorboard.empty()) return;
  if (mkdir(options.tensorboard.c_str(), 0777) == 0 || (errno == EEXIST && access(options.tensorboard.c_str(), W_OK) == 0)) return;
  options.notes.push_back("sigwhy: --tensorboard: cannot write to " + options.tensorboard + ": " + strerror(errno));
  options.tensorboard.clear();
}

// Asked for, so it is said where it cannot be had; the program runs all the same.
void set_up_guard(capture::Plan& plan) {
  if (plan.guard.empty()) return;
  plan.guard_not_loaded = plan.use_ptrace ? capture::preload_guard(plan.command[0], plan.guard)
                                          : "--no-ptrace leaves nobody to read what it records";
  if (!plan.guard_not_loaded.empty()) say("sigwhy: --guard: it runs without: " + plan.guard_not_loaded);
}

std::span<char> argument_area(int argc, char** argv) {
  char* end = argv[argc - 1] + strlen(argv[argc - 1]) + 1;
  return {argv[0], static_cast<std::size_t>(end - argv[0])};
}

bool switched_off() {
  const char* wish = getenv("SIGWHY");
  return wish && strcmp(wish, "0") == 0;
}

int run(int argc, char** argv) {
  auto options = parse_run(argc - 2, argv + 2);
  if (!options) {
    say(error_line(options.error()));
    return own_error;
  }
  if (options->help) return hand_over(argv + 1);
  std::vector<char*> program;
  for (auto& w : options->command) program.push_back(w.data());
  program.push_back(nullptr);
  capture::Launch launched;
  if (!switched_off() && !capture::below_another_sigwhy()) {
    make_tensorboard_folder(*options);
    for (const auto& note : options->notes) say(note);
    if (kernel_is_old()) say("sigwhy: this kernel is older than 3.17: the program runs without supervision");
    if (getpid() == 1) capture::become_init();
    auto plan = plan_for(*options);
    if (!kernel_is_old()) set_up_guard(plan);
    if (!kernel_is_old()) launched = capture::launch(plan, argument_area(argc, argv));
  }
  execvp(program[0], program.data());
  const int error = errno;
  if (launched.exec_failed) [[maybe_unused]] const auto told = write(launched.exec_failed.get(), "F", 1);
  return exec_failure(options->command[0], error);
}

}  // namespace

}  // namespace sigwhy::cli

int main(int argc, char** argv) {
  if (argc >= 2 && strcmp(argv[1], "run") == 0) return sigwhy::cli::run(argc, argv);
  return sigwhy::cli::hand_over(argv + 1);
}
