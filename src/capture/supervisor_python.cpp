// An uncaught Python exception ends in exit 1, and at the exit stop the interpreter has taken itself apart. So the
// first thread of every process that runs Python is stopped where CPython passes on its way to the end
// (python_points.h), and nowhere else. What is grabbed there is a candidate: programs print exceptions and go on.
// It counts when the process then ends with a status that is not zero: from inside that very call, or when the
// interpreter was taken apart soon after it, or at once.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "capture/clock.h"
#include "capture/thread_look.h"
#include "capture/keeper.h"
#include "capture/plain_facts.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_raised = 4;
constexpr int most_hits_a_second = 20;
// A stop takes a tenth of a millisecond; a program that prints more than this is left alone for good.
constexpr int most_stops_a_second = 200;
// The program's own excepthook may send a report somewhere before it is over.
constexpr double finalized_within_s = 10;
constexpr double ends_within_s = 2;

constexpr const char* exceptions = "Python exceptions while their frames lived";
constexpr const char* refused = "we could have no hardware breakpoint that is sure to be undone";
constexpr const char* remedy = "allow perf_event_open (kernel.perf_event_paranoid at most 2; in a container a seccomp "
                               "profile that permits it)";

pid_t parent_of(pid_t pid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* name_end = strrchr(text, ')');
  int parent = 0;
  return name_end && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

long word_at(pid_t tid, std::uint64_t address) { return ptrace(PTRACE_PEEKDATA, tid, reinterpret_cast<void*>(address), nullptr); }

}  // namespace

void Supervisor::watch_python(TracedProcess& p) {
  const auto start = program_start(p.pid);
  if (!start) {
    p.python.refused = "where the program starts could not be read";
    return;
  }
  p.python.entry = start->entry;
  const auto points = python_points_at(p.pid, start->base);
  if (points) p.python.points = *points;
  arm(p, points ? PythonWatch::Stage::armed : PythonWatch::Stage::at_entry);
}

// The process's first thread is stopped.
void Supervisor::arm(TracedProcess& p, PythonWatch::Stage stage) {
  std::array<Address, 2> at{p.python.entry};
  std::size_t count = 1;
  if (stage == PythonWatch::Stage::armed) {
    at = {p.python.points.print, p.python.points.finalize};
    count = p.python.points.finalize.value ? 2 : 1;
  }
  if (breakpoints_.arm(p.pid, std::span(at).first(count), keeper_may_attach(p.pid, root_))) {
    p.python.stage = stage;
    return;
  }
  p.python.stage = PythonWatch::Stage::none;
  p.python.refused = refused;
}

// A new process may report its first stop before its parent reports the fork.
void Supervisor::arm_forked(const Tracee& t, TracedProcess& p) {
  if (t.tid != p.pid || !p.executed || !breakpoints_.any()) return;
  if (!p.parent && p.pid != root_ && p.python.stage == PythonWatch::Stage::none) {
    const auto parent = processes_.find(parent_of(p.pid));
    if (parent == processes_.end() || parent->second.python.stage != PythonWatch::Stage::armed) return;
    p.python = {.stage = PythonWatch::Stage::wanted, .points = parent->second.python.points};
  }
  if (p.python.stage == PythonWatch::Stage::wanted) arm(p, PythonWatch::Stage::armed);
}

// A grab takes a while, in which we may be killed. From the signal stop into a stop without a signal, as the kernel
// would then deliver the SIGTRAP, and without breakpoints, as the keeper may come too late for the next one. False:
// the thread has something else to say.
bool Supervisor::settle(pid_t tid) {
  int status = 0;
  ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
  go_on(tid, 0);
  if (waitpid(tid, &status, __WALL) != tid) return false;
  ++counts_.stops;
  if (status >> 16 == PTRACE_EVENT_STOP && WSTOPSIG(status) == SIGTRAP) {
    breakpoints_.disarm(tid);
    return true;
  }
  if (WIFSTOPPED(status)) on_stop(tid, status);
  else on_gone(tid, status);
  return false;
}

bool Supervisor::on_breakpoint(Tracee& t, TracedProcess& p) {
  siginfo_t info{};
  if (ptrace(PTRACE_GETSIGINFO, t.tid, nullptr, &info) != 0) return false;
  const auto at = breakpoints_.hit(t.tid, info);
  if (!at) return false;
  const pid_t tid = t.tid;
  if (p.releasing) {
    let_go(tid, 0);
    return true;
  }
  if (at->value == 0) {
    go_on(tid, 0);
    return true;
  }
  if (*at == p.python.points.print) {
    const bool by_ptrace = breakpoints_.is_set_by_ptrace(tid);
    if (by_ptrace && !settle(tid)) return true;
    on_raised(t, p);
    if (by_ptrace && p.python.stage == PythonWatch::Stage::armed) arm(p, PythonWatch::Stage::armed);
  } else if (*at == p.python.points.finalize) {
    on_finalize(t, p);
  } else if (*at == p.python.entry) {
    on_entry(p);
  }
  go_on(tid, 0);
  return true;
}

void Supervisor::on_entry(TracedProcess& p) {
  const auto points = python_points_in(p.pid);
  if (points) {
    p.python.points = *points;
    return arm(p, PythonWatch::Stage::armed);
  }
  leave_alone(p, "the interpreter's functions were not found in its libraries");
}

// The process's first thread is stopped.
void Supervisor::leave_alone(TracedProcess& p, const char* why) {
  breakpoints_.disarm(p.pid);
  p.python.stage = PythonWatch::Stage::none;
  p.python.refused = why;
}

void Supervisor::on_finalize(const Tracee& t, TracedProcess& p) {
  const auto at = stack_pointer_of(t.tid);
  p.python.finalizes = {t.tid, at, word_at(t.tid, at)};
  if (Raised* raised = raised_by(p.pid)) raised->finalized_at_s = monotonic_s();
}

// How it ends was decided before it is taken apart: what a destructor prints there (Cython's do) changes nothing.
bool Supervisor::is_inside(const OpenCall& call, const Tracee& t) {
  return call.tid == t.tid && stack_pointer_of(t.tid) < call.stack_pointer && word_at(t.tid, call.stack_pointer) == call.returns_to;
}

// Only the thread that raised it is stopped: it holds the interpreter's lock, so the Python side stands still, and
// the others need not notice.
void Supervisor::on_raised(const Tracee& t, TracedProcess& p) {
  const double now = monotonic_s();
  if (p.grabbed || is_inside(p.python.finalizes, t)) return;
  if (now - p.python.hits_since_s > 1) {
    p.python.hits_since_s = now;
    p.python.hits = 0;
  }
  if (++p.python.hits > most_hits_a_second) {
    // The one before is not what ends it, so that is worth nothing.
    p.python.refused = "it printed more than 20 exceptions in its last second";
    forget_raised(p.pid);
    if (p.python.hits > most_stops_a_second) leave_alone(p, "it printed more than 200 exceptions in a second");
    return;
  }
  p.python.refused = nullptr;
  Raised& raised = place_for(p.pid);
  if (!raised.arena) return;
  raised.at_s = now;
  raised.finalized_at_s = 0;
  raised.stack_pointer = stack_pointer_of(t.tid);
  pause_for_test("exception");
  ArenaWriter arena(raised.arena.storage());
  GrabRequest request = request_for(t, nullptr);
  request.stopped_at = "PyErr_PrintEx";
  task_groups_.take(p.pid, arena);  // at its end its threads will be gone
  grab_exception(request, arena);
  counts_.exception_ms = (monotonic_s() - now) * 1e3;
}

Raised* Supervisor::raised_by(pid_t pid) {
  const auto found = std::ranges::find(raised_, pid, &Raised::pid);
  return found == raised_.end() ? nullptr : &*found;
}

Raised& Supervisor::place_for(pid_t pid) {
  if (Raised* known = raised_by(pid)) return *known;
  if (raised_.size() >= most_raised) {
    const auto oldest = std::ranges::find_if(raised_, [&](const Raised& r) { return r.pid != root_; });
    raised_.erase(oldest);
  }
  Raised& raised = raised_.emplace_back();
  raised.pid = pid;
  // Where memory is short, what we take now may have the program killed. The root needs the standby once only.
  if (pid == root_ && standby_) std::swap(raised.arena, standby_);
  else raised.arena = StandbyArena::make();
  return raised;
}

void Supervisor::forget_raised(pid_t pid) {
  Raised* raised = raised_by(pid);
  if (raised && !standby_) std::swap(raised->arena, standby_);
  std::erase_if(raised_, [&](const Raised& r) { return r.pid == pid; });
}

Raised* Supervisor::ended_by_exception(const Tracee& t, const TracedProcess& p, int status) {
  Raised* raised = raised_by(p.pid);
  if (!raised || t.tid != p.pid || !p.executed || p.grabbed || !WIFEXITED(status) || WEXITSTATUS(status) == 0)
    return nullptr;
  const bool inside = stack_pointer_of(t.tid) < raised->stack_pointer;
  const bool finalized = raised->finalized_at_s && raised->finalized_at_s - raised->at_s < finalized_within_s;
  return inside || finalized || monotonic_s() - raised->at_s < ends_within_s ? raised : nullptr;
}

// After a KeyboardInterrupt CPython sends itself SIGINT for good, so that its parent sees an interrupted program. Who
// interrupted it is told by the SIGINT that it handled before.
bool Supervisor::interrupted_by(const TracedProcess& p, const siginfo_t* info) {
  const Raised* raised = raised_by(p.pid);
  const bool final = info && ((info->si_code <= 0 && info->si_pid == p.pid) || info == &p.asked.info);
  return raised && final && info->si_signo == SIGINT &&
         (raised->finalized_at_s || monotonic_s() - raised->at_s < finalized_within_s);
}

// The rest of what a case needs can be read now that it is known to be one; stderr has the last words only now.
void Supervisor::complete(Raised& raised, const Tracee& t, const siginfo_t* info) {
  ArenaWriter arena = ArenaWriter::behind_what_is_in(raised.arena.storage());
  if (info) arena.append(RecordType::signal, info, sizeof *info);
  write_timeline(arena);
  add_identity(request_for(t, info), arena);
  write_tree(arena, true);
  write_bounds(process_of(t), false, arena);
}

// Of a child it may yet turn out that nobody minded; only the root's is worked on at once.
void Supervisor::die_of_exception(Raised& raised, const Tracee& t, const siginfo_t* info) {
  const double stopped = monotonic_s();
  complete(raised, t, info);
  const pid_t pid = t.pid;
  const auto of_child = [&](const Death& d) { return d.exception && d.pid != root_; };
  if (pid != root_ && std::ranges::count_if(deaths_, of_child) >= static_cast<std::ptrdiff_t>(most_raised))
    deaths_.erase(std::ranges::find_if(deaths_, of_child));
  Death& death = new_death(pid, std::move(raised.arena));
  death.exception = true;
  keep_folders(death);
  death.stopped_at_s = stopped;
  forget_raised(pid);
  go_on(t.tid, 0);
  if (pid != root_) return;
  counts_.fatal_at_s = stopped;
  counts_.stopped_ms = counts_.exception_ms;
  start_developing(death);
}

void Supervisor::say_what_is_unseen(const TracedProcess& p, ArenaWriter& arena) const {
  if (p.python.refused)
    arena.gap(exceptions, p.python.refused, p.python.refused == refused ? remedy : "");
  else if (p.python.stage == PythonWatch::Stage::none && holds_interpreter(p.pid))
    arena.gap(exceptions, "its interpreter was loaded after the start of the program", "");
}

// Nobody would clear our registers now if we were killed. Breakpoints that belong to a descriptor stay.
void Supervisor::lose_keeper() {
  for (const pid_t tid : breakpoints_.set_by_ptrace()) ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr);
}

void Supervisor::stop_watching(const Tracee& t, TracedProcess& p, int event) {
  if (!breakpoints_.is_set_by_ptrace(t.tid)) return;
  leave_alone(p, "our second process, which would have undone its breakpoints, was killed");
  if (event == PTRACE_EVENT_STOP) undo_interruption(t.pid, t.tid);
}

}  // namespace sigwhy::capture
