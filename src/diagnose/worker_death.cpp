#include "diagnose/worker_death.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/array_words.h"
#include "diagnose/phrases.h"
#include "evidence/python_source.h"

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

// A pool whose worker crashed kills the others, and asks helpers about them.
std::optional<std::size_t> only_crashed(const Facts& f) {
  const auto& tree = f.snapshot.process.tree;
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (tree[i].parent != f.snapshot.process.pid || !died_of_signal(tree[i]) || !is_fault_signal(*tree[i].ended->signal)) continue;
    if (only) return std::nullopt;
    only = i;
  }
  return only;
}

// The worker the message names by its pid, else the only one that crashed, else the only one that did not end by the
// parent's own hand.
std::optional<std::size_t> dead_child(const Facts& f, const PyException& e) {
  const auto& tree = f.snapshot.process.tree;
  const auto numbers = numbers_in(e.message);
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (ended_badly(tree[i]) && std::ranges::count(numbers, static_cast<std::uint64_t>(tree[i].pid)) > 0) return i;
  if (const auto crashed = only_crashed(f)) return crashed;
  std::optional<std::size_t> only;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    if (!ended_badly(tree[i])) continue;
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

// What is raised where the other end of a pipe or queue is gone, or a child's status was asked for.
bool comes_of_child(const PyException& e) {
  return tells_of_worker(e) || is_a(e, {"CalledProcessError", "EOFError", "ConnectionError", "TimeoutError", "Empty"});
}

bool speaks_of_status(std::string_view words) {
  return has_any(words, {"exit code", "exitcode", "returncode", "return code", "exit status", "waitpid", "by signal", "SIGSEGV", "SIGABRT", "SIGBUS",
                         "SIGFPE", "SIGILL"});
}

// Whole words: what is wrong with num_workers is no child's death.
bool speaks_of_child(std::string_view words) {
  constexpr std::string_view names[] = {"worker", "Worker", "child", "Child", "subprocess"};
  return speaks_of_status(words) || std::ranges::any_of(names, [&](std::string_view name) { return mentions(words, name); });
}

bool gives_number_of(const ProcessNode& node, std::string_view message) {
  if (!died_of_signal(node)) return false;
  const auto numbers = numbers_in(message);
  const auto gives = [&](std::int64_t number) { return std::ranges::count(numbers, static_cast<std::uint64_t>(number)) > 0; };
  return gives(node.pid) || gives(128 + *node.ended->signal) || message.find(fmt::format("-{}", *node.ended->signal)) != std::string::npos;
}

std::string child_text(const ProcessNode& node) {
  const auto name = node.command.empty() ? std::string() : one_line(node.command, 40) + ", ";
  return fmt::format("({}process {})", name, node.pid);
}

}  // namespace

bool tells_of_child(const Snapshot& s) {
  const auto failure = python_failure_of(s);
  if (!failure) return true;
  return std::ranges::any_of(failure->told, [&](std::size_t at) {
    const auto& e = s.python_exceptions[at];
    const auto& tree = s.process.tree;
    return comes_of_child(e) || speaks_of_child(e.message) ||
           std::ranges::any_of(tree, [&](const ProcessNode& node) { return gives_number_of(node, e.message); }) ||
           (!e.traceback.empty() && speaks_of_status(e.traceback.front().text.value_or("")));
  });
}

std::optional<std::size_t> crashed_child(const Snapshot& s) {
  const auto& tree = s.process.tree;
  for (std::size_t i = tree.size(); i-- > 0;)
    if (tree[i].parent == s.process.pid && died_of_signal(tree[i]) && is_fault_signal(*tree[i].ended->signal)) return i;
  return std::nullopt;
}

std::string crashed_text(const ProcessNode& child) {
  return fmt::format("before that its child {} {}; the exception does not speak of it (sigwhy list shows both cases)", child_text(child), how(child));
}

std::optional<std::size_t> lost_child(const Snapshot& s) {
  const auto& tree = s.process.tree;
  for (std::size_t i = 0; i < tree.size(); ++i)
    if (tree[i].parent == s.process.pid && ended_badly(tree[i]) && !is_cleanup(tree[i]) &&
        (tree[i].command.empty() || tree[i].command == s.process.command))
      return i;
  return std::nullopt;
}

std::string lost_text(const ProcessNode& child) {
  return fmt::format("before that, its child {} {}", child_text(child), how(child));
}

std::optional<WorkerDeath> worker_death(const Facts& f) {
  if (!f.failure) return std::nullopt;
  for (const auto at : f.failure->told) {
    const auto& e = f.snapshot.python_exceptions[at];
    if (!tells_of_worker(e)) continue;
    const auto child = dead_child(f, e);
    if (!child) return std::nullopt;
    const auto& node = f.snapshot.process.tree[*child];
    return WorkerDeath{
        fmt::format("its worker {} {}; the exception only reports that", child_text(node), how(node)),
        "The worker's own case says more: sigwhy list.", child, node.ended->signal == SIGKILL};
  }
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
