#include "experiment/subject.h"

#include <signal.h>

#include <algorithm>

#include "experiment/same_death.h"

namespace sigwhy::experiment {

namespace {

std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }

}  // namespace

bool runs_python(const Subject& subject) {
  const auto& s = subject.before.snapshot;
  if (!s.interpreters.empty() || base_name(s.process.executable).starts_with("python")) return true;
  return !subject.recipe.argv.empty() && base_name(subject.recipe.argv[0]).starts_with("python");
}

bool has_package(const Subject& subject, std::string_view package) {
  return std::ranges::any_of(subject.before.snapshot.modules,
                             [&](const Module& m) { return m.package && *m.package == package; });
}

bool has_library(const Subject& subject, std::string_view start) {
  return std::ranges::any_of(subject.before.snapshot.modules,
                             [&](const Module& m) { return base_name(m.path).starts_with(start); });
}

bool has_death(const Subject& subject) {
  const auto& t = subject.before.snapshot.termination;
  return !(t.kind == TerminationKind::exited && t.exit_code == 0);
}

bool may_be_memory_fault(const Subject& subject) {
  return subject.before.snapshot.termination.signal && is_memory_fault(subject.before.diagnosis.verdict);
}

bool guard_may_tell(const Subject& subject) {
  const auto& c = subject.before;
  const auto signal = c.snapshot.termination.signal.value_or(0);
  if (!has_death(subject) || may_be_memory_fault(subject)) return true;
  const bool ended_by_others = signal == SIGKILL || signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
  const bool proven = !c.diagnosis.findings.empty() && c.diagnosis.findings[0].strength == Strength::proven;
  return !ended_by_others && !proven && c.snapshot.termination.kind != TerminationKind::hung;
}

std::string guard_was_missing(const Trial& trial) {
  const auto& s = trial.result.snapshot;
  const bool missing = s.termination.signal && !trial.timed_out && !s.guarded_heap;
  if (missing && s.threads.empty()) return "what the guarded heap saw could not be read, nor anything else of the dying program (is ptrace refused?)";
  return missing ? "the guarded heap was not in it: a static program, or one with privileges of its own" : "";
}

const Finding* finding_of(const Case& c, Cause cause) {
  const auto found = std::ranges::find(c.diagnosis.findings, cause, &Finding::cause);
  return found == c.diagnosis.findings.end() ? nullptr : &*found;
}

Cause verdict_of(const Subject& subject) { return subject.before.diagnosis.verdict; }

std::optional<std::string> variable(const Recipe& recipe, std::string_view name) {
  const auto start = std::string(name) + "=";
  for (const auto& entry : recipe.environment)
    if (entry.starts_with(start)) return entry.substr(start.size());
  return std::nullopt;
}

std::optional<std::uint64_t> memory_limit(const Case& c) {
  if (!c.snapshot.memory_bounds) return std::nullopt;
  for (const auto& group : c.snapshot.memory_bounds->groups)
    if (group.limit_bytes) return group.limit_bytes;
  return std::nullopt;
}

std::uint64_t threads_of(const Case& c) {
  return std::max<std::uint64_t>(c.snapshot.process.thread_count.value_or(0), c.snapshot.threads.size());
}

std::size_t workers_of(const Case& c) {
  const auto& own = c.snapshot.process;
  return static_cast<std::size_t>(
      std::ranges::count_if(own.tree, [&](const ProcessNode& node) { return node.command == own.command; }));
}

}  // namespace sigwhy::experiment
