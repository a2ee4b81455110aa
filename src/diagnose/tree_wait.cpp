#include "diagnose/tree_wait.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diagnose/phrases.h"
#include "diagnose/waiting.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t most_facts = 6;

const std::vector<Wait>& waits_of(const Facts& f) { return f.snapshot.termination.hang->waits; }

std::set<std::int64_t> processes_of(const Facts& f) {
  std::set<std::int64_t> pids;
  for (const auto& w : waits_of(f)) pids.insert(w.pid);
  return pids;
}

bool is_closed(const Facts& f) {
  const auto pids = processes_of(f);
  return std::ranges::all_of(waits_of(f), [&](const Wait& w) {
    return w.what != AwaitedThing::other && std::ranges::all_of(w.enders, [&](auto pid) { return pids.contains(pid); });
  });
}

// The wait that tells most. That for a child is where the others only wait for it.
const Wait* telling_wait(const Facts& f) {
  for (const auto what : {AwaitedThing::file_lock, AwaitedThing::pipe_room, AwaitedThing::pipe_data, AwaitedThing::shared_lock,
                          AwaitedThing::lock}) {
    const auto found = std::ranges::find(waits_of(f), what, &Wait::what);
    if (found != waits_of(f).end()) return &*found;
  }
  return nullptr;
}

std::string process_text(const Facts& f, std::int64_t pid) {
  std::string command = pid == f.snapshot.process.pid ? f.snapshot.process.command : "";
  for (const auto& node : f.snapshot.process.tree)
    if (node.pid == pid) command = node.command;
  return command.empty() ? fmt::format("process {}", pid) : fmt::format("{} ({})", one_line(command, 30), pid);
}

std::string file_text(const Wait& w) { return w.file ? one_line(file_name(*w.file), 60) : "a file"; }

std::string what_text(const Wait& w) {
  switch (w.what) {
    case AwaitedThing::lock: return "for a lock";
    case AwaitedThing::shared_lock: return "for a lock that processes share";
    case AwaitedThing::child: return "for a child to end";
    case AwaitedThing::pipe_data: return "for data from a pipe";
    case AwaitedThing::pipe_room: return "to write to a pipe that is full";
    case AwaitedThing::file_lock: return fmt::format("for the lock on {}", file_text(w));
    case AwaitedThing::other: break;
  }
  return fmt::format("in {}", w.system_call.value_or("a system call"));
}

// What a process waits for: its first thread, which has the process's own number, or any other.
const Wait* wait_of(const Facts& f, std::int64_t pid) {
  const Wait* found = nullptr;
  for (const auto& w : waits_of(f))
    if (w.pid == pid && (!found || w.tid == pid)) found = &w;
  return found;
}

bool ends_itself(const Wait& w) { return w.enders.size() == 1 && w.enders[0] == w.pid; }

// The one process besides itself that could end it.
std::optional<std::int64_t> other_of(const Wait& w) {
  std::optional<std::int64_t> other;
  for (const auto pid : w.enders) {
    if (pid == w.pid) continue;
    if (other) return std::nullopt;
    other = pid;
  }
  return other;
}

// "..., which waits for it to end"
std::string other_text(const Facts& f, const Wait& w, std::int64_t other) {
  const Wait* theirs = wait_of(f, other);
  const bool for_it = theirs && theirs->what == AwaitedThing::child && std::ranges::count(theirs->enders, w.pid);
  return fmt::format("{}, which waits {}", process_text(f, other), for_it ? "for it to end" : theirs ? what_text(*theirs) : "too");
}

std::string threads_text(std::ptrdiff_t count) {
  return count == 1 ? "the only thread" : count == 2 ? "both threads" : fmt::format("all {} threads", count);
}

std::string claim_for(const Facts& f, const Wait& w) {
  const auto who = process_text(f, w.pid);
  const auto other = other_of(w);
  const auto whom = other ? other_text(f, w, *other) : std::string("its own processes, which all wait");
  switch (w.what) {
    case AwaitedThing::file_lock:
      if (ends_itself(w)) return fmt::format("{} waits for a lock on {} that it holds itself", who, file_text(w));
      return fmt::format("{} waits for the lock on {}, held by {}", who, file_text(w), whom);
    case AwaitedThing::pipe_room:
      if (ends_itself(w)) return fmt::format("{} writes to a pipe that is full, and only itself could read it", who);
      return fmt::format("{} writes to a pipe that is full, and it could be read only by {}", who, whom);
    case AwaitedThing::pipe_data:
      if (ends_itself(w)) return fmt::format("{} waits for data from a pipe that only itself could write to", who);
      return fmt::format("{} waits for data from a pipe that could be written to only by {}", who, whom);
    case AwaitedThing::lock:
      return fmt::format("{} of {} may only be woken by each other, and none is awake",
                         threads_text(std::ranges::count(waits_of(f), w.pid, &Wait::pid)), who);
    default:
      return fmt::format("its {} processes wait for each other, and none is left awake", processes_of(f).size());
  }
}

std::string fix_for(const Wait& w) {
  switch (w.what) {
    case AwaitedThing::file_lock:
      return ends_itself(w) ? "Give the lock back (or close that file) before it is taken again: to flock() each open() is another owner."
                            : "Take locks and wait for processes in the same order everywhere, or give the wait a time limit.";
    case AwaitedThing::pipe_room:
      return ends_itself(w) ? "Read the pipe in another thread, or write no more than it holds (64 KiB) before reading."
                            : "Read that pipe while the child runs (in Python: communicate() instead of wait()), or let the child write to a file.";
    case AwaitedThing::pipe_data:
      return "Close every end of the pipe that is not written to any more, in every process that has it (in Python: "
             "communicate(), or close() before wait()): the reader sees an end only then.";
    default: return "Look which of them was to wake the others; give waits a time limit, so that this is noticed.";
  }
}

Fact wait_fact(const Facts& f, const Wait& w) {
  const auto at = static_cast<std::size_t>(&w - waits_of(f).data());
  return fact("waits", fmt::format("{} waits {}", process_text(f, w.pid), what_text(w)),
              {ref(fmt::format("/termination/hang/waits/{}", at))});
}

void add_waits(const Facts& f, const Wait& telling, Finding& out) {
  out.evidence_for.push_back(wait_fact(f, telling));
  for (const auto pid : processes_of(f))
    if (const Wait* w = wait_of(f, pid); w && w != &telling && out.evidence_for.size() < most_facts)
      out.evidence_for.push_back(wait_fact(f, *w));
}

}  // namespace

std::optional<Finding> waiting_for_each_other(const Facts& f) {
  if (!is_hung(f) || !is_closed(f)) return std::nullopt;
  const Wait* telling = telling_wait(f);
  if (!telling) return std::nullopt;
  Finding out = finding(Cause::deadlock, Strength::strong, claim_for(f, *telling));
  out.evidence_for.push_back(still_fact(f));
  add_waits(f, *telling, out);
  out.rival = "a signal, or something else from outside, that it waits for";
  out.fix.push_back(fix_for(*telling));
  return out;
}

std::optional<Finding> waiting_for_a_stranger(const Facts& f) {
  if (!is_hung(f)) return std::nullopt;
  const auto pids = processes_of(f);
  const auto found = std::ranges::find_if(waits_of(f), [&](const Wait& w) {
    return w.what == AwaitedThing::file_lock && !pids.contains(w.enders.at(0));
  });
  if (found == waits_of(f).end()) return std::nullopt;
  Finding out = finding(Cause::file_contention, Strength::strong,
                        fmt::format("{} waits for a lock on {} that process {} holds, which is not of this program",
                                    process_text(f, found->pid), file_text(*found), found->enders.at(0)));
  out.evidence_for.push_back(still_fact(f));
  out.evidence_for.push_back(wait_fact(f, *found));
  out.rival = "a lock that is held for long, and given back in time";
  out.fix.push_back(fmt::format("Look what process {} does with {}; take the lock with a time limit, or without waiting.",
                                found->enders.at(0), file_text(*found)));
  out.whose = Whose::somebody;
  out.retryable = Retryable::yes;
  return out;
}

}  // namespace sigwhy::diagnose
