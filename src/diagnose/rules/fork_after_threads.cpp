// fork copies one thread and all locks: a lock that another thread held at that moment stays locked in the child for
// ever. Seen is: a child that still runs its parent's program, made from a parent with threads, whose only thread waits
// for a lock. No thread of its own can free it. A worker that waits for work waits the same way; its innermost Python
// frame is multiprocessing's own.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/waiting.h"

namespace sigwhy::diagnose::rules {

namespace {

bool waits_for_work(const Thread& thread) {
  constexpr std::array files = {"multiprocessing/queues.py", "multiprocessing/connection.py", "multiprocessing/synchronize.py",
                                "multiprocessing/pool.py", "concurrent/futures/process.py"};
  if (thread.python.empty()) return false;
  const auto& file = thread.python.front().file;
  return std::ranges::any_of(files, [&](const char* name) { return file.ends_with(name); });
}

std::optional<Finding> check(const Facts& f) {
  if (!is_hung(f)) return std::nullopt;
  const Hang& hang = *f.snapshot.termination.hang;
  if (!hang.forked_from || hang.parent_threads.value_or(0) < 2 || f.snapshot.process.thread_count.value_or(0) != 1) return std::nullopt;
  const auto waiting = waiting_threads(f);
  if (waiting.size() != 1 || !waiting[0].in_lock || waits_for_work(f.snapshot.threads[waiting[0].thread])) return std::nullopt;
  Finding out = finding(Cause::fork_after_threads, Strength::strong,
                        fmt::format("a forked child waits at {} for a lock, and has no other thread that could free it: fork copied the lock, not its holder",
                                    waiting[0].place));
  out.explains = Cause::deadlock;
  out.evidence_for.push_back(still_fact(f));
  out.evidence_for.push_back(waits_fact(f, waiting[0]));
  out.evidence_for.push_back(fact("forked", fmt::format("it was forked from process {}, which has {} threads; itself it has one", *hang.forked_from,
                                                        *hang.parent_threads),
                                  {ref("/termination/hang"), ref("/process/thread_count")}));
  out.rival = "a lock that the child took twice itself";
  out.fix.push_back("Start worker processes with multiprocessing.get_context(\"spawn\") (or forkserver), or fork before anything starts threads.");
  out.whose = Whose::your_code;
  out.retryable = Retryable::yes;
  out.prediction = "with spawn instead of fork it does not hang";
  return out;
}

}  // namespace

extern const Rule fork_after_threads{.title = "fork after threads", .check = check};

}  // namespace sigwhy::diagnose::rules
