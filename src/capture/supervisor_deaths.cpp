// Fatal or handled? At a signal stop /proc/PID/status tells what the process will do about the signal. A deadly
// one is grabbed at once: registers and memory are those of the mistake. One with a handler is only a candidate:
// it is grabbed small and kept, and counts if the program ends from inside that handler or raises it again.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>

#include "capture/clock.h"
#include "capture/hurry.h"
#include "capture/life_span.h"
#include "capture/quiet_timer.h"
#include "capture/read_again.h"
#include "capture/signals.h"
#include "capture/start.h"
#include "capture/supervisor.h"
#include "target/live.h"

namespace sigwhy::capture {

namespace {

constexpr double hold_deadline_s = 0.05;
constexpr double exit_hold_deadline_s = 0.02;
constexpr double main_goes_within_s = 1;
constexpr int most_candidates_a_second = 50;
constexpr int most_faults_a_second = 1000;
constexpr std::size_t most_deaths = 8;
constexpr std::size_t most_tree_bytes = 16384;
constexpr double storm_s = 1;
constexpr double raised_again_within_s = 10;
constexpr double asked_again_after_s = 0.05;
constexpr long restart_without_eintr = 513;  // ERESTARTNOINTR, the kernel's own

void copy_root_words(const TracedProcess& root, ArenaWriter& arena) {
  char line[8192];
  const auto size = std::min<std::uint64_t>(root.files.arguments_end - root.files.arguments, sizeof line);
  const LiveMemory memory(root.pid, root.files.memory.get());
  const auto got = memory.read(Address{root.files.arguments}, std::as_writable_bytes(std::span(line, size)));
  if (got) arena.file("root_cmdline", line, got);
}

bool sent_by_itself(const siginfo_t& info, pid_t pid) { return info.si_code <= 0 && info.si_pid == pid; }

// A child's death that turns out to be the root's is developed twice, under one id.
std::string new_id() {
  std::uint32_t number = 0;
  if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
    number = static_cast<std::uint32_t>(monotonic_s() * 1e6);
  char text[9];
  snprintf(text, sizeof text, "%08x", number);
  return text;
}

}  // namespace

// A traced process is woken even for a signal that it ignores, and its epoll_wait would return EINTR where bare it
// sleeps on. The call is told to start again, as the kernel does for calls that may not be interrupted.
void Supervisor::undo_wake_up(const Tracee& t, int signal) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, t.tid, nullptr, &registers) != 0) return;
  const bool interrupted = static_cast<long>(registers.orig_rax) >= 0 && static_cast<long>(registers.rax) == -EINTR;
  if (!interrupted) return;
  const auto what = disposition(t.pid, signal);
  if (what != Disposition::ignored && (what != Disposition::deadly || deadly_by_default(signal))) return;
  registers.rax = static_cast<unsigned long>(-restart_without_eintr);
  ptrace(PTRACE_SETREGS, t.tid, nullptr, &registers);
}

void Supervisor::on_signal(Tracee& t, int signal) {
  TracedProcess& p = process_of(t);
  siginfo_t info{};
  if (ignored_by_default(signal)) undo_wake_up(t, signal);
  if (!p.executed || p.grabbed || !deadly_by_default(signal) ||
      ptrace(PTRACE_GETSIGINFO, t.tid, nullptr, &info) != 0)
    return go_on(t.tid, signal);
  // Asking costs a file. A timer that was handled a moment ago is taken to be handled still; should it kill after
  // all, the exit stop tells.
  const bool timer_storm = !tells_a_place(signal) && p.asked.valid && p.asked.info.si_signo == signal &&
                           monotonic_s() - p.asked.at_s < asked_again_after_s;
  if (timer_storm) return go_on(t.tid, signal);
  switch (disposition(p.pid, signal)) {
    case Disposition::deadly: return die(t, p, &info, signal);
    case Disposition::caught:
      note_polite(p, info, false);
      on_handled(t, p, info);
      break;
    case Disposition::ignored:
      note_polite(p, info, true);
      undo_wake_up(t, signal);
      break;
    case Disposition::unknown: break;
  }
  if (p.releasing) return let_go(t.tid, signal);
  go_on(t.tid, signal);
}

void Supervisor::on_handled(Tracee& t, TracedProcess& p, const siginfo_t& info) {
  const double now = monotonic_s();
  SeenSignal seen{.info = info, .tid = t.tid, .at_s = now, .valid = true};
  if (!tells_a_place(info.si_signo)) {
    p.asked = seen;
    return;
  }
  if (now - p.faults_since_s > 1) {
    p.faults_since_s = now;
    p.faults = 0;
  }
  // Programs that live by faults (the JVM) would be slowed many times over by a stop for each.
  if (++p.faults > most_faults_a_second) return release(p, "it handles more than 1,000 faults a second");
  p.fault.valid = false;
  if (p.faults > most_candidates_a_second || sent_by_itself(info, p.pid)) return;
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, t.tid, nullptr, &registers) != 0) return;
  seen.stack_pointer = registers.rsp;
  if (!candidate_) candidate_ = StandbyArena::make();
  if (!candidate_) return;
  ArenaWriter arena(candidate_.storage());
  GrabRequest request = request_for(t, &info);
  request.handled_first = true;
  grab(request, arena);
  candidate_pid_ = p.pid;
  p.fault = seen;
}

GrabRequest Supervisor::request_for(const Tracee& dying, const siginfo_t* info) {
  return {.pid = dying.pid,
          .dying = dying.tid,
          .info = info,
          .started_unix_s = started_unix_s_,
          .after_seconds = monotonic_s() - started_s_,
          .stderr_start = stderr_start_,
          .guard_asked = plan_.guard.empty() ? nullptr : plan_.guard_not_loaded.c_str()};
}

// Stops the other threads of the dying one's process, or (for a process that is being killed, whose threads reach
// their exit stops by themselves) waits for them; returns how many did not come in time.
std::size_t Supervisor::hold_others(const Tracee& dying, bool interrupt) {
  others_.clear();
  std::size_t waiting = 0;
  for (auto& [tid, t] : tracees_) {
    if (t.pid != dying.pid || tid == dying.tid || t.held) continue;
    if (!interrupt || ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0) ++waiting;
  }
  const double deadline = monotonic_s() + (interrupt ? hold_deadline_s : exit_hold_deadline_s);
  while (waiting && monotonic_s() < deadline) {
    const auto before = waiting;
    for (auto& [tid, t] : tracees_) {
      if (t.pid != dying.pid || tid == dying.tid || t.held) continue;
      const pid_t got = waitpid(tid, &t.status, WNOHANG | __WALL);
      if (got == 0) continue;
      --waiting;
      t.held = got == tid && WIFSTOPPED(t.status);
      if (t.held) others_.push_back(tid);
    }
    if (waiting == before) usleep(50);
  }
  return waiting;
}

// A killed process has no thread that died of a mistake; whichever reaches its end first stands for nothing.
const Tracee& Supervisor::main_thread_if_held(const Tracee& t) const {
  const auto main = tracees_.find(t.pid);
  return main != tracees_.end() && main->second.held ? main->second : t;
}

void Supervisor::release_others(const Tracee& dying) {
  // on_stop may change the table, so the held ones are taken out of it first.
  held_.clear();
  for (auto& [tid, t] : tracees_)
    if (t.pid == dying.pid && t.held) {
      t.held = false;
      held_.emplace_back(tid, t.status);
    }
  for (const auto& [tid, status] : held_) on_stop(tid, status);
}

// The main thread last, when the others are gone: as long as it stands in its group, the kernel knows that memory is
// about to be freed there, and looks for no second process to kill (it goes by main threads alone).
void Supervisor::release_killed(const Tracee& dying, TracedProcess& p) {
  const auto main = tracees_.find(dying.pid);
  const bool last = main != tracees_.end() && (main->second.held || dying.tid == dying.pid);
  if (last) main->second.held = false;
  if (last) p.main_goes_by_s = monotonic_s() + main_goes_within_s;
  if (!last || dying.tid != dying.pid) go_on(dying.tid, 0);
  release_others(dying);
  release_main(p);
}

void Supervisor::release_main(TracedProcess& p) {
  if (p.main_goes_by_s == 0) return;
  const bool alone = std::ranges::none_of(
      tracees_, [&](const auto& entry) { return entry.second.pid == p.pid && entry.first != p.pid; });
  if (!alone && monotonic_s() < p.main_goes_by_s) return start_quiet_timer();
  p.main_goes_by_s = 0;
  go_on(p.pid, 0);
}

// Page faults so far: in the stop of a kill each one may have to wait until the kernel takes what the dying hold.
long Supervisor::own_page_faults() {
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  return own.ru_minflt + own.ru_majflt;
}

void Supervisor::grab_dying(Tracee& t, TracedProcess& p, const siginfo_t* info, int signal_to_deliver, Death& death) {
  const std::size_t running = hold_others(t, signal_to_deliver != 0);
  ArenaWriter arena(death.arena.storage());
  write_timeline(arena);
  write_bounds(p, death.killed, arena);  // before what may fill the arena, and before more of the memory is gone
  write_tree(arena, !death.killed);
  if (!death.killed) task_groups_.take(p.pid, arena);
  if (death.killed) write_cpu_time(p.pid, arena);
  GrabRequest request = request_for(death.killed ? main_thread_if_held(t) : t, info);
  std::ranges::replace(others_, request.dying, t.tid);
  request.others = others_;
  request.running = running;
  request.killed = death.killed;
  request.files = &p.files;
  request.may_open = !death.killed;
  if (!request.may_open && !p.files.has_arguments()) write_start(plan_, arena);
  const auto parent = processes_.find(p.forked_from);
  if (death.killed && parent != processes_.end() && parent->second.files) {
    request.forked_from = parent->first;
    request.parent_files = &parent->second.files;
  }
  grab(request, arena);
  if (death.arena.refused_lock() && deaths_.size() == 1)
    arena.gap("memory kept ready for an out-of-memory kill", "the kernel refused to lock it", "raise RLIMIT_MEMLOCK");
}

void Supervisor::die(Tracee& t, TracedProcess& p, const siginfo_t* info, int signal_to_deliver) {
  const double stopped = monotonic_s();
  const pid_t tid = t.tid, pid = p.pid;
  const bool killed = !info && !signal_to_deliver;
  const long faults_before = own_page_faults();
  const Hurry hurry;  // two seconds after a kill for memory the kernel takes what the process held
  siginfo_t seen{};
  Killing killing;
  if (killed) killing = look_at_kill(t, p, seen);
  if (seen.si_signo) info = &seen;
  const bool own_fault = info && tells_a_place(info->si_signo) && (info->si_code > 0 || sent_by_itself(*info, pid));
  if (pid != root_ && !own_fault && !killing.for_memory && many_died_since(stopped - storm_s)) return go_on(tid, signal_to_deliver);
  p.grabbed = true;
  p.dying = tid;
  const bool interrupted = interrupted_by(p, info);
  const bool sent_before = p.polite.at_s > 0 && p.polite.info.si_signo == SIGINT && !p.polite.ignored;
  const siginfo_t* const first = interrupted && sent_before ? &p.polite.info : info;
  if (interrupted) complete(*raised_by(pid), t, first);
  Death& death = interrupted ? new_death(pid, std::move(raised_by(pid)->arena)) : new_death(pid);
  death.stopped_at_s = stopped;
  death.own_fault = own_fault || killing.for_memory;
  death.killed = killed;
  death.sent_by = first && first->si_code <= 0 ? first->si_pid : 0;
  const bool again = !interrupted && info && p.fault.valid && candidate_pid_ == pid && sent_by_itself(*info, pid) &&
                     stopped - p.fault.at_s < raised_again_within_s;
  if (pid == root_ || ended_by_timer_of_root(death)) adopt_stderr();  // timeout(1) closes its own before it ends
  pause_for_test("grab");
  if (again) {
    // The handler has done its work and raises the signal for good: the fault it handled is the evidence.
    std::swap(death.arena, candidate_);
  } else if (death.arena && !interrupted) {
    grab_dying(t, p, info, signal_to_deliver, death);
  }
  if (!killed) keep_folders(death);
  if (killed) {
    death.group = memory_.settle(group_of(p), killing);
    if (table_) table_->glances().stop();
    release_killed(Tracee{.tid = tid, .pid = pid}, p);
    // What the log says of the kill may come later than the kill itself.
    death.waits_for_room = killing.for_memory || !memory_.has_room(death.group);
  } else {
    go_on(tid, signal_to_deliver);
    release_others(Tracee{.tid = tid, .pid = pid});
  }
  if (pid == root_) {
    counts_.fatal_at_s = stopped;
    counts_.stopped_ms = (monotonic_s() - stopped) * 1e3;
    counts_.page_faults = own_page_faults() - faults_before;
  }
  if (!death.waits_for_room) start_developing(death);
}

// Exit stops are released at once, or a core dump in progress would wait for them. Only a process that is being
// killed outright is held: SIGKILL has no signal stop, and this is the last moment its memory can be seen.
void Supervisor::on_exit_stop(Tracee& t) {
  TracedProcess& p = process_of(t);
  unsigned long message = 0;
  ptrace(PTRACE_GETEVENTMSG, t.tid, nullptr, &message);
  const int status = static_cast<int>(message);
  const bool last_words = t.tid == p.pid && t.tid == root_ && p.executed && !p.grabbed;
  if (last_words) adopt_stderr();
  if (p.executed && !p.grabbed && WIFSIGNALED(status)) {
    const bool seen = p.asked.valid && p.asked.info.si_signo == WTERMSIG(status);
    return die(t, p, seen ? &p.asked.info : nullptr, 0);
  }
  if (t.tid == p.pid && p.executed && !p.grabbed && guard_found_something(p)) return end_with_finding(t, p);
  // Its handler ended it with the number that says so.
  const bool obeyed = p.asked.valid && WEXITSTATUS(status) == 128 + p.asked.info.si_signo;
  const siginfo_t* asked = obeyed ? &p.asked.info : nullptr;
  if (last_words && WEXITSTATUS(status) != 0 && fault_ended_it(p, t)) {
    p.grabbed = true;
    Death& death = new_death(p.pid);
    std::swap(death.arena, candidate_);
    keep_folders(death);
  } else if (Raised* raised = ended_by_exception(t, p, status)) {
    p.grabbed = true;
    return die_of_exception(*raised, t, asked);
  } else if (last_words && (WEXITSTATUS(status) != 0 || plan_.wants_case || plan_.always)) {
    p.grabbed = true;
    Death& death = new_death(p.pid);
    if (death.arena) {
      ArenaWriter arena(death.arena.storage());
      write_timeline(arena);
      grab_identity(request_for(t, asked), arena);
      write_tree(arena, true);
      write_bounds(p, false, arena);
      task_groups_.take(p.pid, arena);
      if (WEXITSTATUS(status) != 0) say_what_is_unseen(p, arena);
    }
  }
  go_on(t.tid, 0);
}

void Supervisor::write_tree(ArenaWriter& arena, bool may_open) {
  {
    TextRecord out(arena, "tree", most_tree_bytes);
    for (const auto& [pid, p] : processes_) {
      char path[64], name[32] = "";
      snprintf(path, sizeof path, "/proc/%d/comm", pid);
      const OwnedFd fd(may_open ? ::open(path, O_RDONLY | O_CLOEXEC) : -1);
      const auto got = fd ? ::read(fd.get(), name, sizeof name - 1) : 0;
      if (got > 0 && name[got - 1] == '\n') name[got - 1] = '\0';
      out.line("%d %d - %s\n", pid, p.parent, got > 0 ? name : p.files.command);
    }
    for (const auto& e : ended_) out.line("%d %d %d %s\n", e.pid, e.parent, e.wait_status, e.command);
  }
  char path[64], line[8192];
  snprintf(path, sizeof path, "/proc/%d/cmdline", root_);
  const OwnedFd fd(may_open ? ::open(path, O_RDONLY | O_CLOEXEC) : -1);
  const auto got = fd ? ::read(fd.get(), line, sizeof line) : 0;
  if (got > 0) arena.file("root_cmdline", line, static_cast<std::size_t>(got));
  else if (!may_open) copy_root_words(processes_[root_], arena);
}

// Somebody ends all his workers: of those that were killed so, the first few tell as much as all.
bool Supervisor::many_died_since(double then_s) const {
  return std::ranges::count_if(deaths_, [&](const Death& d) { return d.stopped_at_s > then_s; }) >=
         static_cast<std::ptrdiff_t>(most_deaths);
}

Death& Supervisor::new_death(pid_t pid) {
  StandbyArena arena;
  if (!standby_) forget_raised(pid);  // it does not die of that
  if (standby_) std::swap(arena, standby_);
  return new_death(pid, arena ? std::move(arena) : StandbyArena::make());
}

Death& Supervisor::new_death(pid_t pid, StandbyArena arena) {
  // The oldest deaths may be the cause of the root's; beyond a few, the middle ones are dropped.
  if (deaths_.size() >= most_deaths) deaths_.erase(deaths_.begin() + most_deaths / 2);
  Death& death = deaths_.emplace_back();
  death.pid = pid;
  death.id = new_id();
  death.arena = std::move(arena);
  return death;
}

// Its developing process finds the gate closed and leaves without a trace.
void Supervisor::forget_death(TracedProcess& p) {
  p.grabbed = false;
  p.dying = 0;
  std::erase_if(deaths_, [&](const Death& death) { return death.pid == p.pid; });
}

}  // namespace sigwhy::capture
