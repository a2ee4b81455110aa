// Learns how an interpreter's tensors lie in memory: runs the bundled probe (src/python/tensors/probe) under it and
// keeps what it printed. The probe's words: "absent FRAMEWORK", "failed FRAMEWORK WHY", and whole layouts.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/owned_fd.h"
#include "cli/command.h"
#include "python/tensors/layout_text.h"
#include "python/tensors/learned.h"
#include "store/folder.h"

namespace sigwhy {
extern const std::string_view tensor_probe;
}

namespace sigwhy::cli::commands {

namespace {

constexpr std::size_t most_output = 1u << 20;

struct Learned {
  std::string text;       // the layout, as it is kept
  std::string framework;  // "torch"
  std::string release;
  std::string identity;
};

struct Told {
  std::vector<Learned> layouts;
  std::vector<std::string> absent;
  std::vector<std::string> failed;  // "torch: why"
};

std::string read_all(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::read(fd, buffer, sizeof buffer)) > 0 || (got < 0 && errno == EINTR);)
    if (got > 0 && text.size() < most_output) text.append(buffer, static_cast<std::size_t>(got));
  return text;
}

[[noreturn]] void become(const std::vector<std::string>& command, int out, int error) {
  std::vector<char*> words;
  for (const auto& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::dup2(out, 1);
  ::execvp(words[0], words.data());
  const int why = errno;
  [[maybe_unused]] const auto told = ::write(error, &why, sizeof why);
  ::_exit(127);
}

// What the probe printed under `command`.
Result<std::string> run_probe(std::vector<std::string> command) {
  const auto name = command[0];
  command.insert(command.end(), {"-c", std::string(tensor_probe)});
  int out[2], error[2];
  if (::pipe2(out, O_CLOEXEC) != 0 || ::pipe2(error, O_CLOEXEC) != 0) return std::unexpected(errno_error("cannot make a pipe", errno));
  const OwnedFd from_probe(out[0]), from_exec(error[0]);
  OwnedFd to_us(out[1]), exec_error(error[1]);
  const pid_t child = ::fork();
  if (child < 0) return std::unexpected(errno_error("cannot start " + name, errno));
  if (child == 0) become(command, out[1], error[1]);
  to_us = {};
  exec_error = {};
  int why = 0, status = 0;
  const bool failed = ::read(from_exec.get(), &why, sizeof why) == sizeof why;
  auto text = read_all(from_probe.get());
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (failed) return std::unexpected(errno_error("cannot start " + name, why));
  if (WIFSIGNALED(status))
    return failure("nothing was learned", fmt::format("{} died of {} while it was asked", name, strsignal(WTERMSIG(status))));
  if (WEXITSTATUS(status) != 0)
    return failure("nothing was learned", fmt::format("{} exited with {}", name, WEXITSTATUS(status)),
                   "name the interpreter itself: sigwhy learn -- python");
  return text;
}

// The words of a layout's "framework" and "release" lines.
void name_it(Learned& learned, std::string_view line) {
  python::layout_text::Words words{line};
  const auto key = words.next();
  if (key == "framework") learned.framework = words.next();
  if (key == "release") {
    learned.release = words.next();
    learned.identity = words.next();
  }
}

Told told_by(std::string_view text) {
  Told told;
  std::optional<Learned> open;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line == "layout 1") open.emplace();
    if (open) {
      open->text += std::string(line) + "\n";
      name_it(*open, line);
      if (line == "end") told.layouts.push_back(*std::exchange(open, std::nullopt));
      continue;
    }
    python::layout_text::Words words{line};
    const auto key = words.next();
    if (key == "absent") told.absent.emplace_back(words.next());
    if (key == "failed") {
      const auto framework = words.next();
      told.failed.push_back(fmt::format("{}:{}", framework, words.rest));
    }
  }
  return told;
}

Result<void> keep(const Learned& learned) {
  constexpr const char* remedy = "set XDG_CACHE_HOME to a folder that you can write to";
  const auto folder = python::learned_layout_folder();
  if (folder.empty()) return failure("cannot keep what was learned", "there is no home folder", remedy);
  auto kept = store::make_folder(folder);
  auto name = fmt::format("{}-{}-{}.layout", learned.framework, learned.release, learned.identity);
  std::ranges::replace_if(name, [](char c) { return c == '/' || c == ':'; }, '-');
  if (kept) kept = store::write_whole(folder + "/" + name, learned.text);
  if (!kept) kept.error().remedy = remedy;
  return kept;
}

std::string sentence(const Learned& learned, const python::TensorLayout& layout) {
  std::vector<std::string_view> parts = {"shape", "dtype"};
  if (!layout.strides.empty()) parts.push_back("strides");
  parts.push_back("data");
  if (layout.device || !layout.device_object.empty()) parts.push_back("device");
  if (!layout.variable.empty()) parts.push_back("variables");
  return fmt::format("{} {}: learned where its tensors keep {}\n", learned.framework, learned.release, fmt::join(parts, ", "));
}

Result<int> run_learn(const Arguments& arguments, Output& output) {
  if (arguments.operands.empty()) return failure("learn from which interpreter?", "", "sigwhy learn -- python");
  const auto text = run_probe(arguments.operands);
  if (!text) return std::unexpected(text.error());
  const Told told = told_by(*text);
  for (const Learned& learned : told.layouts) {
    const auto layout = python::tensor_layout_of(learned.text);
    if (!layout) return failure("cannot use what was learned of " + learned.framework, "it does not hold together");
    if (arguments.has("print")) {
      output.out += learned.text;
      continue;
    }
    if (const auto kept = keep(learned); !kept) return std::unexpected(kept.error());
    output.out += sentence(learned, *layout);
  }
  if (!told.failed.empty()) return failure("could not learn all", fmt::format("{}", fmt::join(told.failed, "; ")));
  if (told.layouts.empty() && !told.absent.empty())
    return failure("there is nothing to learn", fmt::format("{} has neither torch nor tensorflow", arguments.operands[0]),
                   "name the interpreter that has: sigwhy learn -- venv/bin/python");
  if (told.layouts.empty()) return failure("nothing was learned", arguments.operands[0] + " did not run the probe as Python does");
  return 0;
}

constexpr Option options[] = {{.name = "print", .help = "print the layouts and keep nothing"}};

constexpr Example examples[] = {{"sigwhy learn -- python", "the interpreter that runs your program"}};

}  // namespace

extern const Command learn;
const Command learn = {
    .place = 13,
    .summary = "Learn how an interpreter's tensors lie in memory",
    .operands = "-- PYTHON...",
    .description = "sigwhy reads tensors of torch and TensorFlow from outside and brings along what it must know of their common "
                   "releases. For any other build, run this once: it imports the frameworks under that interpreter, makes a few "
                   "tensors, finds them in memory, and keeps what it found in $XDG_CACHE_HOME/sigwhy/layouts, else in "
                   "~/.cache/sigwhy/layouts. It takes as long as the import.",
    .takes = Operands::command,
    .options = options,
    .examples = examples,
    .run = run_learn};

}  // namespace sigwhy::cli::commands
