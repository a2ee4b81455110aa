#include "experiment/trial.h"

#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "base/owned_fd.h"
#include "evidence/json.h"
#include "experiment/scratch.h"
#include "experiment/start_up.h"

namespace sigwhy::experiment {

namespace {

using Environment = std::vector<std::string>;

std::string value_of(const Environment& environment, const std::string& name) {
  for (const auto& variable : environment)
    if (variable.starts_with(name + "=")) return variable.substr(name.size() + 1);
  return {};
}

void unset(Environment& environment, const std::string& name) {
  std::erase_if(environment, [&](const std::string& v) { return v.starts_with(name + "="); });
}

void set(Environment& environment, const std::string& name, const std::string& value) {
  unset(environment, name);
  environment.push_back(name + "=" + value);
}

std::string joined(const std::vector<std::string>& folders, const std::string& rest) {
  std::string path;
  for (const auto& folder : folders) path += (path.empty() ? "" : ":") + folder;
  return rest.empty() ? path : path + ":" + rest;
}

std::string read_file(const std::string& path) {
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char part[65536];
  for (ssize_t got = 0; fd && (got = ::read(fd.get(), part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  return text;
}

bool write_file(const std::string& path, const std::string& text) {
  const OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  std::string_view left = text;
  while (fd && !left.empty()) {
    const auto n = ::write(fd.get(), left.data(), left.size());
    if (n <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(n));
  }
  return bool(fd);
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
}

// What the front is told: the program as the recipe has it, with the change.
struct Prepared {
  LayerRun run;
  std::string json;
  std::optional<StartUp> start_up;
};

Result<void> put_files(const Change& change, const Scratch& scratch, LayerRun& run) {
  const std::string folder = scratch.out() + "/files";
  if (!change.files.empty()) ::mkdir(folder.c_str(), 0700);
  for (const auto& [name, bytes] : change.files) {
    const std::string path = folder + "/" + name;
    if (!write_file(path, bytes)) return std::unexpected(errno_error("cannot write " + path, errno));
    for (auto* words : {&run.argv, &run.environment})
      for (auto& word : *words) replace_all(word, "{file:" + name + "}", path);
  }
  return {};
}

Environment environment_for(const Recipe& recipe, const Change& change, const Scratch& scratch) {
  Environment environment = recipe.environment;
  for (const auto& name : change.unset) unset(environment, name);
  for (const auto& [name, value] : change.set) set(environment, name, value);
  unset(environment, "SIGWHY");
  set(environment, "SIGWHY_DIR", scratch.out() + "/cases");
  return environment;
}

Result<Prepared> prepare(const Recipe& recipe, const Change& change, const Bounds& bounds, const Scratch& scratch) {
  Prepared ready{.json = scratch.out() + "/case.json"};
  LayerRun& run = ready.run;
  run = {.directory = recipe.directory,
         .stdin_file = recipe.input,
         .seconds = bounds.seconds,
         .bytes = bounds.layer_bytes,
         .network = bounds.network,
         .without_layer = bounds.without_layer,
         .memory_bytes = change.memory_bytes};
  run.environment = environment_for(recipe, change, scratch);
  auto first_on_path = change.python_path;
  if (!change.start_up.empty()) {
    auto start_up = write_start_up(scratch.out(), change.start_up);
    if (!start_up) return std::unexpected(start_up.error());
    ready.start_up = *start_up;
    first_on_path.insert(first_on_path.begin(), start_up->folder);
  }
  if (!first_on_path.empty())
    set(run.environment, "PYTHONPATH", joined(first_on_path, value_of(run.environment, "PYTHONPATH")));
  run.argv = {bounds.sigwhy, "run", "--json", ready.json, "--quiet"};
  run.argv.insert(run.argv.end(), change.run_options.begin(), change.run_options.end());
  run.argv.push_back("--");
  const auto& program = change.argv ? *change.argv : recipe.argv;
  run.argv.insert(run.argv.end(), program.begin(), program.end());
  if (auto put = put_files(change, scratch, run); !put) return std::unexpected(put.error());
  return ready;
}

// Where sigwhy itself could not write a case: what the parent of a program always sees.
Case plain_case(const LayerEnd& end) {
  Case c;
  auto& termination = c.snapshot.termination;
  termination.after_seconds = end.seconds;
  if (!end.wait_status) {
    termination.kind = end.timed_out ? TerminationKind::hung : TerminationKind::unknown;
  } else if (WIFSIGNALED(*end.wait_status)) {
    termination.kind = TerminationKind::signalled;
    termination.signal = WTERMSIG(*end.wait_status);
    if (const char* name = ::sigabbrev_np(*termination.signal)) termination.signal_name = "SIG" + std::string(name);
  } else {
    termination.kind = TerminationKind::exited;
    termination.exit_code = WEXITSTATUS(*end.wait_status);
  }
  return c;
}

}  // namespace

// One file larger than all that the layer may hold: the limit is ours, not the program's.
static bool met_own_limit(const Snapshot& s, std::uint64_t layer_bytes) {
  return s.termination.signal == SIGXFSZ &&
         std::ranges::any_of(s.process.limits, [&](const Limit& limit) { return limit.unit == "bytes" && limit.soft == layer_bytes; });
}

bool survived(const Trial& trial) { return trial.wait_status && *trial.wait_status == 0; }

Result<Trial> run_trial(const Recipe& recipe, const Change& change, const Bounds& bounds) {
  auto scratch = Scratch::make(bounds.layers_folder);
  if (!scratch) return std::unexpected(scratch.error());
  auto ready = prepare(recipe, change, bounds, *scratch);
  if (!ready) return std::unexpected(ready.error());
  auto end = run_in_layer(ready->run, *scratch);
  if (!end) return std::unexpected(end.error());

  Trial trial{.result = plain_case(*end),
              .seconds = end->seconds,
              .timed_out = end->timed_out,
              .interrupted = end->interrupted,
              .layer_full = end->full,
              .wait_status = end->wait_status,
              .peak_bytes = end->peak_bytes,
              .output_tail = std::move(end->output_tail),
              .wrote = end->wrote,
              .read_only = end->read_only};
  if (end->wait_status)
    if (auto seen = case_from_json(read_file(ready->json))) trial.result = std::move(*seen);
  trial.layer_full |= met_own_limit(trial.result.snapshot, bounds.layer_bytes);
  if (ready->start_up) trial.took_effect = start_up_ran(*ready->start_up, trial.why_no_effect);
  return trial;
}

}  // namespace sigwhy::experiment
