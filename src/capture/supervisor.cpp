#include "capture/supervisor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "capture/clock.h"
#include "capture/door.h"
#include "capture/keeper.h"
#include "capture/program.h"
#include "capture/quiet_timer.h"
#include "python/tensors/learned.h"

namespace sigwhy::capture {

namespace {

constexpr long trace_options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
                               PTRACE_O_TRACEEXIT;

constexpr double first_rehearsal_s = 0.4;

bool stops_the_job(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

int wait_for_news(siginfo_t& info, int idle) {
  const DoorAjar ajar;
  return waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOWAIT | __WALL | idle);
}

bool belongs_to(pid_t process, pid_t tid) { return syscall(SYS_tgkill, process, tid, 0) == 0; }

}  // namespace

Supervisor::Supervisor(pid_t root, const Plan& plan, double started_s, ArmedThreads* armed, RunTable* table)
    : root_(root),
      plan_(plan),
      started_s_(started_s),
      started_unix_s_(time(nullptr)),
      companion_(companion_command()),
      breakpoints_(armed),
      table_(table) {
  tracees_[root] = {.tid = root, .pid = root};
  processes_[root] = {.pid = root, .parent = 0};
  others_.reserve(8192);
  held_.reserve(8192);
  deaths_.reserve(16);
  memory_.listen_to(table);
}

int Supervisor::seize() {
  return ptrace(PTRACE_SEIZE, root_, nullptr, trace_options) == 0 ? 0 : errno;
}

bool Supervisor::run() {
  const bool ended = supervise();
  breakpoints_.disarm_all();
  return ended;
}

bool Supervisor::supervise() {
  if (!plan_.tee) report_place_.leave_to(root_);
  bool getting_ready = true;
  for (;;) {
    serve_visitor();
    look_for_hang();
    siginfo_t info{};
    // Nothing to do: a good moment to get the arena ready. Then sleep until something happens.
    quiet_ |= quiet_time();
    const int idle = getting_ready || quiet_ ? WNOHANG : 0;
    if (keeper_is_gone()) lose_keeper();
    if (wait_for_news(info, idle) != 0) {
      if (errno == EINTR) continue;
      return false;  // nothing left to wait for: the root was let go, or taken from us
    }
    if (info.si_pid == 0) {
      if (!getting_ready) {
        quiet_ = get_ready();
        continue;
      }
      if (!standby_) {
        python::remember_learned_layouts();
        standby_ = StandbyArena::make();
      }
      getting_ready = standby_.prepare_more();
      if (!getting_ready) {
        task_groups_.remember(root_);  // a program may have all the threads it is allowed within milliseconds
        lock_own_memory();
        if (table_) table_->prefault();
        start_quiet_timer();
        if (plan_.hang_s > 0) start_look_timer(time_between_looks(plan_.hang_s));
      }
      continue;
    }
    const bool over = info.si_code == CLD_EXITED || info.si_code == CLD_KILLED || info.si_code == CLD_DUMPED;
    if (over && info.si_pid == root_ && !root_released_) {
      const int status = info.si_code == CLD_EXITED ? info.si_status << 8
                                                    : info.si_status | (info.si_code == CLD_DUMPED ? 0x80 : 0);
      on_root_end(status);
      return true;
    }
    int status = 0;
    if (waitpid(info.si_pid, &status, __WALL | WUNTRACED | WNOHANG) != info.si_pid) continue;
    if (!WIFSTOPPED(status)) on_gone(info.si_pid, status);
    else if (is_traced(info.si_pid, status)) on_stop(info.si_pid, status);
    if (root_released_) return false;
    start_waiting();
  }
}

// Somebody may stop a developing process, our other kind of child; we would wait for it, and it for us. A tracee that
// is not known yet begins with an event.
bool Supervisor::is_traced(pid_t tid, int status) const { return tracees_.contains(tid) || status >> 16; }

// A child may report its first stop before its parent reports the fork: then it is known by its own words only.
Tracee& Supervisor::tracee(pid_t tid) {
  auto& t = tracees_[tid];
  if (t.tid) return t;
  t = {.tid = tid, .pid = tid};
  for (const auto& [pid, process] : processes_)
    if (belongs_to(pid, tid)) t.pid = pid;
  process_of(t).executed |= processes_[root_].executed;
  return t;
}

TracedProcess& Supervisor::process_of(const Tracee& t) {
  auto& p = processes_[t.pid];
  if (p.pid == 0) p.made_at_s = monotonic_s();
  p.pid = t.pid;
  return p;
}

void Supervisor::go_on(pid_t tid, int signal) { ptrace(PTRACE_CONT, tid, nullptr, signal); }

void Supervisor::on_stop(pid_t tid, int status) {
  ++counts_.stops;
  const int signal = WSTOPSIG(status);
  const int event = status >> 16;
  Tracee& t = tracee(tid);
  TracedProcess& p = process_of(t);
  if (!event && Breakpoints::may_be_hit(signal) && on_breakpoint(t, p)) return;
  // Our own interruptions, also those that were answered late, must not be noticed.
  if (event == PTRACE_EVENT_STOP && signal == SIGTRAP && t.interrupted) {
    t.interrupted = false;
    undo_interruption(t.pid, tid);
  }
  if (keeper_is_gone()) stop_watching(t, p, event);
  if (p.releasing && event != PTRACE_EVENT_EXIT) return let_go(tid, event ? 0 : signal);
  // Still here after a deadly signal: the init of a pid namespace, which the kernel spares.
  if (p.dying == tid && event != PTRACE_EVENT_EXIT) forget_death(p);
  switch (event) {
    case 0: return on_signal(t, signal);
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE: on_new(tid, event); break;
    case PTRACE_EVENT_EXEC: return on_exec(tid);
    case PTRACE_EVENT_EXIT: return on_exit_stop(t);
    case PTRACE_EVENT_STOP:
      arm_forked(t, p);
      if (!stops_the_job(signal)) break;
      ptrace(PTRACE_LISTEN, tid, nullptr, nullptr);
      return;
    default: break;
  }
  go_on(tid, 0);
}

void Supervisor::on_new(pid_t from, int event) {
  unsigned long message = 0;
  if (ptrace(PTRACE_GETEVENTMSG, from, nullptr, &message) != 0) return;
  const auto tid = static_cast<pid_t>(message);
  const pid_t parent = tracees_[from].pid;
  const bool thread = event == PTRACE_EVENT_CLONE && belongs_to(parent, tid);
  // It may have stopped, and even died, before its parent's report of it was read.
  const auto gone = std::ranges::find(ended_, tid, &EndedProcess::pid);
  if (gone != ended_.end() && gone->parent == 0) {
    gone->parent = parent;
    return;
  }
  tracees_[tid] = {.tid = tid, .pid = thread ? parent : tid};
  if (thread) return;
  if (table_) table_->add(tid);
  TracedProcess& p = process_of(tracees_[tid]);
  p.parent = parent;
  if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_CLONE) p.forked_from = parent;
  p.executed |= processes_[parent].executed;
  want_files(p);
  // What vfork makes lives for its exec alone.
  const bool copied = event != PTRACE_EVENT_VFORK && p.python.stage == PythonWatch::Stage::none;
  if (copied && processes_[parent].python.stage == PythonWatch::Stage::armed)
    p.python = {.stage = PythonWatch::Stage::wanted, .points = processes_[parent].python.points};
}

// After an exec one thread is left, with the process's id, whichever thread called it.
void Supervisor::on_exec(pid_t pid) {
  std::erase_if(tracees_, [&](const auto& entry) { return entry.second.pid == pid && entry.first != pid; });
  tracees_[pid] = {.tid = pid, .pid = pid};
  TracedProcess& p = process_of(tracees_[pid]);
  p.executed = true;
  if (table_) table_->executed(pid);
  // On some kernels the threads that an exec ends look as if they were killed.
  if (p.grabbed) forget_death(p);
  p.fault.valid = p.asked.valid = false;
  p.polite = {};
  p.forked_from = 0;
  for (auto& [other, child] : processes_)
    if (child.forked_from == pid) child.forked_from = 0;
  want_files(p);
  forget_raised(pid);
  breakpoints_.forget(pid);
  p.python = {};
  const Program program = program_of(pid);
  if (program.let_go) {
    release(p, program.let_go);
    return let_go(pid, 0);
  }
  p.executed_at_s = monotonic_s();
  p.rehearse_at_s = program.runs_python ? p.executed_at_s + first_rehearsal_s : 0;
  if (program.runs_python) watch_python(p);
  go_on(pid, 0);
}

void Supervisor::let_go(pid_t tid, int signal) {
  breakpoints_.disarm(tid);
  ptrace(PTRACE_DETACH, tid, nullptr, signal);
  tracees_.erase(tid);
}

void Supervisor::release(TracedProcess& p, const char* reason) {
  p.releasing = true;
  if (p.pid == root_) {
    root_released_ = true;
    release_reason_ = reason;
    adopt_stderr();
  }
  for (auto& [tid, t] : tracees_)
    if (t.pid == p.pid) t.interrupted = ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) == 0;
}

void Supervisor::on_gone(pid_t tid, int status) {
  for (Death& death : deaths_)
    if (death.developer.pid == tid) {
      death.developer.pid = 0;
      return;
    }
  const auto thread = tracees_.find(tid);
  const auto process = processes_.find(thread == tracees_.end() ? tid : thread->second.pid);
  tracees_.erase(tid);
  if (process != processes_.end() && process->first != tid) release_main(process->second);
  breakpoints_.forget(tid);
  const auto found = processes_.find(tid);
  if (found == processes_.end()) return;
  forget_raised(tid);
  if (table_) table_->remove(tid);
  const double now = monotonic_s();
  if (ended_.size() < 4096) {
    EndedProcess& ended = ended_.emplace_back(EndedProcess{tid, found->second.parent, status, now, found->second.made_at_s, found->second.executed_at_s,
                                                               found->second.handled_last()});
    memcpy(ended.command, found->second.files.command, sizeof ended.command);
  }
  Death* death = death_of(tid);
  if (death && death->waits_for_room) start_developing(*death);
  if (death) tell(*death, {.wait_status = status, .after_seconds = now - started_s_});
  processes_.erase(found);
}

}  // namespace sigwhy::capture
