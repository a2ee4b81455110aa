#include "diagnose/worker_death.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_words.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

bool tells_of_worker(const PyException& e) {
  if (is_a(e, {"BrokenProcessPool", "TerminatedWorkerError", "ProcessExitedException"})) return true;
  return is_a(e, {"RuntimeError"}) && has_any(e.message, {"DataLoader worker (pid"});
}

bool died_of_signal(const ProcessNode& node) {
  return node.ended && node.ended->kind != TerminationKind::exited && node.ended->signal;
}

bool ended_badly(const ProcessNode& node) {
  return died_of_signal(node) || (node.ended && node.ended->exit_code.value_or(0) != 0);
}

// A child that the parent ended itself when it gave up (SIGTERM) is a consequence.
bool is_cleanup(const ProcessNode& node) { return node.ended && node.ended->signal == SIGTERM; }

// The worker the message names by its pid, else the only one that did not end by the parent's own hand.
std::optional<std::size_t> dead_child(const Facts& f, const PyException& e) {
  const auto& tree = f.snapshot.process.tree;
  const auto numbers = numbers_in(e.message);
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (!ended_badly(tree[i])) continue;
    if (std::ranges::count(numbers, static_cast<std::uint64_t>(tree[i].pid)) > 0) return i;
    if (tree[i].parent != f.snapshot.process.pid || is_cleanup(tree[i])) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

std::string how(const ProcessNode& node) {
  if (!died_of_signal(node)) return fmt::format("exited with {}", *node.ended->exit_code);
  const auto name = node.ended->signal_name.value_or(fmt::format("signal {}", *node.ended->signal));
  const bool sent = *node.ended->signal == SIGKILL || *node.ended->signal == SIGTERM;
  return (sent ? "was killed by " : "died of ") + name;
}

std::string fix_for(const ProcessNode& node) {
  if (node.ended->signal == SIGKILL)
    return "Look for who killed it: mostly the kernel, for want of memory. Fewer workers or smaller batches need less.";
  return "The worker's own case says more: sigwhy list.";
}

}  // namespace

std::optional<WorkerDeath> worker_death(const Facts& f) {
  if (!f.failure) return std::nullopt;
  for (const auto at : f.failure->told) {
    const auto& e = f.snapshot.python_exceptions[at];
    if (!tells_of_worker(e)) continue;
    const auto child = dead_child(f, e);
    if (!child) return std::nullopt;
    const auto& node = f.snapshot.process.tree[*child];
    const auto name = node.command.empty() ? std::string() : one_line(node.command, 40) + ", ";
    return WorkerDeath{
        fmt::format("its worker ({}process {}) {}; the exception only reports that", name, node.pid, how(node)),
        fix_for(node), child};
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
