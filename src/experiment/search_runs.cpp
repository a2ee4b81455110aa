#include "experiment/search_runs.h"

#include <time.h>

#include <algorithm>

#include "capture/plain_words.h"
#include "experiment/interrupt.h"

namespace sigwhy::experiment {

namespace {

constexpr const char* for_memory = "killed for memory";
constexpr const char* by_signal = "killed by ";
constexpr const char* hung = "hung";

double now_s() {
  timespec t{};
  ::clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9;
}

std::string how_it_ended(const Trial& trial) {
  const auto& end = trial.result.snapshot.termination;
  if (trial.timed_out) return hung;
  if (end.kind == TerminationKind::killed_for_memory || trial.result.diagnosis.verdict == Cause::out_of_memory_killed)
    return for_memory;
  if (end.signal) return by_signal + end.signal_name.value_or("signal " + std::to_string(*end.signal));
  return "exit " + std::to_string(end.exit_code.value_or(1));
}

SearchDeath death_of(const Trial& trial) {
  SearchDeath death{.how = how_it_ended(trial), .cause = trial.result.diagnosis.verdict};
  for (const auto& finding : trial.result.diagnosis.findings) {
    if (finding.cause != death.cause) continue;
    death.strength = finding.strength;
    death.claim = finding.claim;
    break;
  }
  return death;
}

std::optional<std::uint64_t> limit_of(const Trial& trial, const Change& change) {
  if (change.memory_bytes) return change.memory_bytes;
  const auto& timeline = trial.result.snapshot.timeline;
  return timeline ? timeline->limit_bytes : std::nullopt;
}

// sigwhy's own line when there is no such program: no death, a mistake in the command.
std::optional<Error> never_started(const Trial& trial) {
  const auto code = trial.result.snapshot.termination.exit_code;
  if (!code || *code < 125 || *code > 127) return std::nullopt;
  const auto at = trial.output_tail.rfind("sigwhy: ");
  if (at == std::string::npos || (at > 0 && trial.output_tail[at - 1] != '\n')) return std::nullopt;
  auto line = trial.output_tail.substr(at + 8);
  return Error{line.substr(0, line.find('\n')), "", ""};
}

}  // namespace

SearchRuns::SearchRuns(const SearchWish& wish) : wish_(wish), began_s_(now_s()) {}

bool SearchRuns::over() {
  if (interrupted()) stopped_ = "stopped by you";
  else if (wish_.most_runs && runs_ >= wish_.most_runs) stopped_ = "stopped after " + std::to_string(runs_) + " runs";
  else if (wish_.most_seconds > 0 && now_s() - began_s_ >= wish_.most_seconds)
    stopped_ = "stopped after " + capture::time_words(now_s() - began_s_);
  return !stopped_.empty();
}

Tried& SearchRuns::row(const std::string& value) {
  const auto found = std::ranges::find(table_, value, &Tried::value);
  return found != table_.end() ? *found : table_.emplace_back(Tried{.value = value});
}

const Tried* SearchRuns::tried(const std::string& value) const {
  const auto found = std::ranges::find(table_, value, &Tried::value);
  return found == table_.end() ? nullptr : &*found;
}

Result<std::optional<RunEnd>> SearchRuns::run(const std::string& value, const std::vector<std::string>& argv) {
  return run(value, argv, wish_.change);
}

Result<std::optional<RunEnd>> SearchRuns::run(const std::string& value, const std::vector<std::string>& argv, Change change) {
  if (over()) return std::nullopt;
  if (wish_.progress) wish_.progress("run " + std::to_string(runs_ + 1) + ": " + value);
  change.argv = argv;
  Bounds bounds = wish_.bounds;
  if (wish_.most_seconds > 0)
    bounds.seconds = std::min(bounds.seconds, std::max(1.0, began_s_ + wish_.most_seconds - now_s()));
  const auto trial = wish_.trial(wish_.recipe, change, bounds);
  if (!trial) return std::unexpected(trial.error());
  // Cut short by the whole search's time, it is no hang.
  if (trial->interrupted || (trial->timed_out && bounds.seconds < wish_.bounds.seconds)) {
    (void)over();
    return std::nullopt;
  }
  if (trial->layer_full)
    return failure("the program wrote more than it may", capture::size_words(static_cast<double>(bounds.layer_bytes)) + " in a run",
                   "give it more with --disk SIZE");
  if (auto error = never_started(*trial)) return std::unexpected(*error);
  ++runs_;
  read_only_ = trial->read_only;
  RunEnd end{.died = !survived(*trial)};
  Tried& line = row(value);
  ++line.runs;
  line.died += end.died;
  if (end.died) {
    end.death = death_of(*trial);
    if (end.death.how == for_memory) end.limit_bytes = limit_of(*trial, change);
    line.death = end.death;
  } else if ((end.peak_bytes = trial->peak_bytes)) {
    line.peak_bytes = std::max(line.peak_bytes.value_or(0), *end.peak_bytes);
  }
  return end;
}

void SearchRuns::conclude(Search& search) const {
  search.tried = table_;
  search.runs = static_cast<std::uint64_t>(runs_);
  search.seconds = now_s() - began_s_;
  search.in_layer = !wish_.bounds.without_layer;
  if (!stopped_.empty()) search.notes.push_back(stopped_);
  if (!read_only_.empty()) search.notes.push_back("read-only in the layer, which may be why it fails: " + read_only_);
  for (const auto& line : table_)
    if (line.died && line.died < line.runs)
      search.notes.push_back("flaky: " + line.value + " died " + std::to_string(line.died) + " of " + std::to_string(line.runs) +
                             " times");
}

std::string death_verb(const SearchDeath& death, std::optional<std::uint64_t> limit_bytes) {
  if (death.how == for_memory)
    return limit_bytes ? "is killed at " + capture::size_words(static_cast<double>(*limit_bytes)) : "is killed for memory";
  if (death.how == hung) return "hangs";
  if (death.how.starts_with(by_signal)) return "dies of " + death.how.substr(std::string_view(by_signal).size());
  return "fails with " + death.how;
}

}  // namespace sigwhy::experiment
