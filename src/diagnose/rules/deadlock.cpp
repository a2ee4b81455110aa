// Threads that wait for each other, or for a wake-up that never comes. Seen is: the program hung, every thread that runs
// the program's code is asleep until another thread wakes it, and none is left awake to do so. Who holds which lock is
// not known (a Python lock does not say), so that it stays strong: what they wait for might come from outside.
//
// Processes may wait for each other too, at pipes, file locks and for each other's end (tree_wait).
//
// Not a deadlock: a thread that waits for the network, the clock, or a pipe or child that may yet move. Idle threads of
// libraries' pools wait in the same call as a deadlock does; without the main thread among the waiting they say nothing.
// Nor a thread that waits for a lock in memory that processes share, or for a time only.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/tree_wait.h"
#include "diagnose/waiting.h"
#include "diagnose/worker_death.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_at_work(const Thread& thread) { return thread.on_cpu.value_or(false); }

bool is_cycle(const std::vector<WaitingThread>& concerned) {
  return std::ranges::count(concerned, Awaits::lock, &WaitingThread::awaits) >= 2;
}

std::string claim_for(const std::vector<WaitingThread>& concerned, bool alone) {
  std::vector<std::string> others;
  for (const auto& w : concerned)
    if (!w.main && others.size() < 3) others.push_back(w.place);
  const auto main = std::ranges::find_if(concerned, &WaitingThread::main);
  if (others.size() >= 2)
    return fmt::format("{} threads wait {}: {}", concerned.size() - 1,
                       is_cycle(concerned) ? "for locks, and none is left awake that could free one"
                                           : "to be woken, and none is left awake that could do it",
                       list_text(others));
  if (others.size() == 1)
    return fmt::format("the main thread ({}) and another ({}) wait, and none is left awake that could wake them", main->place, others[0]);
  if (main->awaits == Awaits::lock)
    return fmt::format("it waits at {} for a lock, and no {} is left awake to free it", main->place, alone ? "other thread" : "thread");
  return fmt::format("it waits at {} for a wake-up that no thread is left to give", main->place);
}

std::string fix_for(const std::vector<WaitingThread>& concerned) {
  if (is_cycle(concerned))
    return "Take locks in the same order everywhere, and give waits a time limit (acquire(timeout=…), get(timeout=…)).";
  if (concerned.size() == 1 && concerned[0].awaits == Awaits::lock)
    return "Look who took that lock: this thread itself (threading.RLock may be taken twice by one thread), or one that "
           "ended without freeing it (`with` frees it in any case).";
  const auto woken = std::ranges::find_if(concerned, [](const auto& w) { return w.awaits == Awaits::wake_up; });
  if (woken == concerned.end()) return "Give waits a time limit, so that what never comes is noticed.";
  return fmt::format("Look who was to wake {}: {} never came. Give waits a time limit, so that this is noticed.", woken->place,
                     woken->waker.empty() ? "set(), notify() or put()" : woken->waker);
}

// Main and every thread that runs the program's Python; none where one of them may yet be woken by something else.
std::vector<WaitingThread> all_in_locks(const Facts& f) {
  std::vector<WaitingThread> concerned;
  for (const auto& w : waiting_threads(f)) {
    if (!w.main && !w.python) continue;
    if (!w.in_lock) return {};
    concerned.push_back(w);
  }
  if (std::ranges::none_of(concerned, &WaitingThread::main)) return {};
  return concerned;
}

std::optional<Finding> by_locks(const Facts& f) {
  const auto concerned = all_in_locks(f);
  if (concerned.empty()) return std::nullopt;
  Finding out = finding(Cause::deadlock, Strength::strong, claim_for(concerned, f.snapshot.threads.size() == 1));
  out.evidence_for.push_back(still_fact(f));
  for (std::size_t i = 0; i < std::min<std::size_t>(concerned.size(), 6); ++i)
    out.evidence_for.push_back(waits_fact(f, concerned[i]));
  out.rival = "a signal, or something else from outside, that it waits for";
  out.fix.push_back(fix_for(concerned));
  out.whose = responsible(f);
  return out;
}

// The main thread waits to be woken, and a child ended badly before. Other threads may wait for the children's pipes, as
// a multiprocessing.Pool's do: whether an answer is still to come is not to be seen.
std::optional<Finding> by_lost_child(const Facts& f) {
  const auto child = lost_child(f.snapshot);
  const auto all = waiting_threads(f);
  const auto main = std::ranges::find_if(all, &WaitingThread::main);
  if (!child || main == all.end() || !main->in_lock) return std::nullopt;
  const auto& node = f.snapshot.process.tree[*child];
  Finding out = finding(Cause::deadlock, Strength::plausible,
                        fmt::format("it may wait at {} for what will never come: {}", main->place, lost_text(node)));
  out.evidence_for.push_back(fact("child", lost_text(node), {ref(fmt::format("/process/tree/{}", *child))}));
  out.evidence_for.push_back(still_fact(f));
  out.evidence_for.push_back(waits_fact(f, *main));
  out.rival = "work for which nobody has asked yet";
  out.fix.push_back("Find out why that child ended (sigwhy list may have its case). concurrent.futures.ProcessPoolExecutor "
                    "raises where a worker is lost; multiprocessing.Pool waits on.");
  out.whose = Whose::unknown;
  return out;
}

// One thread has Python's lock (the GIL) and sleeps until another frees a lock of C code's own; that other waits for the
// GIL, as all do who want to run Python. Who holds the second lock is not seen, only that nobody can go on.
std::optional<Finding> by_gil(const Facts& f) {
  const auto all = waiting_threads(f);
  const auto state_of = [&](const WaitingThread& w) { return f.snapshot.threads[w.thread].gil; };
  const auto holder = std::ranges::find(all, GilState::holds, state_of);
  const auto waiting = std::ranges::find(all, GilState::waits, state_of);
  if (holder == all.end() || waiting == all.end() || !holder->in_lock) return std::nullopt;
  Finding out = finding(Cause::deadlock, Strength::strong,
                        fmt::format("{} holds Python's lock (the GIL) and waits for another lock; {} waits for the GIL", holder->place,
                                    waiting->place));
  out.evidence_for.push_back(still_fact(f));
  out.evidence_for.push_back(waits_fact(f, *holder));
  out.evidence_for.push_back(waits_fact(f, *waiting));
  out.rival = "a lock that is held by something else, which needs no Python to go on";
  out.fix.push_back("Let C code give up the GIL before it takes a lock of its own (py::gil_scoped_release, Py_BEGIN_ALLOW_THREADS), and "
                    "take the GIL only while it holds none.");
  out.whose = responsible(f);
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (!is_hung(f) || std::ranges::any_of(f.snapshot.threads, is_at_work)) return std::nullopt;
  auto out = by_locks(f);
  if (auto lost = by_lost_child(f); lost && !(out && is_cycle(all_in_locks(f)))) out = lost;
  if (!out) out = by_gil(f);
  if (!out) out = waiting_for_each_other(f);
  if (!out) return std::nullopt;
  out->retryable = Retryable::unknown;
  out->prediction = "it hangs again at the same lines";
  return out;
}

}  // namespace

extern const Rule deadlock{.title = "deadlock", .check = check};

}  // namespace sigwhy::diagnose::rules
