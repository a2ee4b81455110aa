// Threads that wait for each other, or for a wake-up that never comes. Seen is: the program hung, every thread that runs
// the program's code is asleep until another thread wakes it, and none is left awake to do so. Who holds which lock is
// not known (a Python lock does not say), so that it stays strong: what they wait for might come from outside.
//
// Not a deadlock: a thread that waits for the network, a pipe, the clock or a child. Idle threads of libraries' pools
// wait in the same call as a deadlock does; without the main thread among the waiting they say nothing.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/waiting.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_at_work(const Thread& thread) { return thread.on_cpu.value_or(false); }

std::string claim_for(const std::vector<WaitingThread>& concerned) {
  std::vector<std::string> others;
  for (const auto& w : concerned)
    if (!w.main && others.size() < 3) others.push_back(w.place);
  const auto main = std::ranges::find_if(concerned, &WaitingThread::main);
  if (others.size() >= 2)
    return fmt::format("{} threads wait for locks, and none is left awake that could free one: {}", concerned.size() - 1, list_text(others));
  if (others.size() == 1)
    return fmt::format("the main thread ({}) and another ({}) wait, and none is left awake that could wake them", main->place, others[0]);
  return fmt::format("it waits at {} for a wake-up that no thread is left to give", main->place);
}

std::optional<Finding> check(const Facts& f) {
  if (!is_hung(f) || std::ranges::any_of(f.snapshot.threads, is_at_work)) return std::nullopt;
  const auto all = waiting_threads(f);
  std::vector<WaitingThread> concerned;
  for (const auto& w : all) {
    if (!w.main && !w.python) continue;
    if (!w.in_lock) return std::nullopt;  // something else may yet wake it
    concerned.push_back(w);
  }
  if (std::ranges::none_of(concerned, &WaitingThread::main)) return std::nullopt;
  Finding out = finding(Cause::deadlock, Strength::strong, claim_for(concerned));
  out.evidence_for.push_back(still_fact(f));
  for (std::size_t i = 0; i < std::min<std::size_t>(concerned.size(), 6); ++i)
    out.evidence_for.push_back(waits_fact(f, concerned[i]));
  out.rival = "a wake-up from another process, through memory that they share";
  out.fix.push_back("Take locks in the same order everywhere, and give waits a time limit (acquire(timeout=…), get(timeout=…)).");
  out.whose = responsible(f);
  out.retryable = Retryable::unknown;
  out.prediction = "it hangs again at the same lines";
  return out;
}

}  // namespace

extern const Rule deadlock{.title = "deadlock", .check = check};

}  // namespace sigwhy::diagnose::rules
