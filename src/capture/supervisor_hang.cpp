// A program that makes no progress (`run --hang SECONDS`). A hang is: the first thread of the process that the user
// started has slept in one and the same call all that time, and the whole tree has used next to no CPU. Both are read
// from /proc a few times in that span; nothing is stopped for it.
//
// A thread that waits for Python's lock counts as asleep: its holder may sleep for ever.
//
// Not a hang: a first thread that waits for the clock, for a signal or for somebody to type. And the process that
// waits is often not the one that is stuck: a parent waits for its child, which waits for a lock whose holder was not
// copied by the fork. That child is looked at then; one that waits for a lock which processes share (a worker's turn at
// the queue of its pool) is not: that is how workers without work wait.
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

#include "capture/clock.h"
#include "capture/read_again.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

namespace {

constexpr double ticks_a_second = 100;
// Threads that only look at a clock or a flag now and then go on meanwhile.
constexpr double most_idle_share = 0.02;

bool waits_for_a_child(const ThreadLook& look) { return look.system_call == SYS_wait4 || look.system_call == SYS_waitid; }

bool waits_for_own_lock(const ThreadLook& look) {
  return look.system_call == SYS_futex && (look.second_argument & FUTEX_PRIVATE_FLAG);
}

bool waits_on_purpose(const ThreadLook& look) {
  constexpr std::array calls = {SYS_nanosleep, SYS_clock_nanosleep, SYS_pause, SYS_rt_sigsuspend, SYS_rt_sigtimedwait};
  const bool typed = look.system_call == SYS_read && look.first_argument == 0;
  return typed || std::ranges::find(calls, look.system_call) != calls.end();
}

// Python's lock is waited for in short naps, 200 a second, at one and the same place.
bool waits_for_the_gil(const ThreadLook& before, const ThreadLook& now, double seconds) {
  constexpr double least_naps_a_second = 100;
  const auto naps = static_cast<double>(now.switches - std::min(now.switches, before.switches));
  return now.doing == Doing::sleeps && before.doing == Doing::sleeps && now.system_call == SYS_futex &&
         before.system_call == SYS_futex && now.rsp == before.rsp && now.rip == before.rip && now.fourth_argument != 0 &&
         before.fourth_argument != 0 && naps > least_naps_a_second * seconds;
}

// At a pipe that the parent has the other end of: what is to be told is the parent's line.
bool waits_for_the_parent(const TracedProcess& parent, const TracedProcess& child) {
  const auto& look = child.main_thread;
  return (look.system_call == SYS_read || look.system_call == SYS_write) &&
         joined_by_pipe(child.pid, look.first_argument, parent.pid);
}

// /proc/PID/NAME, as much of it as fits.
const char* read_proc(pid_t pid, const char* name, std::span<char> into) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto got = fd ? ::read(fd.get(), into.data(), into.size() - 1) : 0;
  into[got > 0 ? static_cast<std::size_t>(got) : 0] = '\0';
  return into.data();
}

// The 14th and 15th fields; the second, a name in brackets, may hold anything.
std::uint64_t cpu_ticks(pid_t pid) {
  char text[1024];
  const char* name_end = strrchr(read_proc(pid, "stat", text), ')');
  unsigned long long user = 0, system = 0;
  if (!name_end || sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu", &user, &system) != 2) return 0;
  return user + system;
}

std::uint64_t thread_count(pid_t pid) {
  char text[4096];
  const char* at = strstr(read_proc(pid, "status", text), "\nThreads:");
  unsigned long long count = 0;
  return at && sscanf(at + 9, "%llu", &count) == 1 ? count : 0;
}

}  // namespace

double time_between_looks(double hang_s) { return std::clamp(hang_s / 8, 0.05, 5.0); }

void Supervisor::look_at_main_threads(double now) {
  for (auto& [pid, p] : processes_) {
    const ThreadLook look = look_at(pid, pid);
    const bool still = look.same_sleep(p.main_thread) || waits_for_the_gil(p.main_thread, look, now - p.looked_at_s);
    if (p.still_since_s == 0 || !still) p.still_since_s = now;
    p.main_thread = look;
    p.looked_at_s = now;
  }
}

const TracedProcess* Supervisor::child_that_is_waited_for(const TracedProcess& parent) const {
  const auto wanted = static_cast<pid_t>(parent.main_thread.first_argument);
  const TracedProcess* any = nullptr;
  for (const auto& [pid, p] : processes_) {
    if (p.parent != parent.pid) continue;
    if (pid == wanted) return &p;
    if (!any || pid < any->pid) any = &p;
  }
  return any;
}

const TracedProcess* Supervisor::forked_child_in_lock(const TracedProcess& parent) const {
  const TracedProcess* found = nullptr;
  for (const auto& [pid, p] : processes_)
    if (p.forked_from == parent.pid && waits_for_own_lock(p.main_thread) && (!found || pid < found->pid)) found = &p;
  return found;
}

const TracedProcess* Supervisor::stuck_process() const {
  const TracedProcess* at = &processes_.at(root_);
  for (std::size_t step = 0; step < processes_.size() && waits_for_a_child(at->main_thread); ++step) {
    const TracedProcess* child = child_that_is_waited_for(*at);
    if (!child || waits_for_the_parent(*at, *child)) break;
    at = child;
  }
  if (const TracedProcess* child = forked_child_in_lock(*at)) at = child;
  return at;
}

std::vector<TreeThread> Supervisor::tree_threads() const {
  std::vector<TreeThread> threads;
  for (const auto& [tid, t] : tracees_)
    if (const auto p = processes_.find(t.pid); p != processes_.end()) threads.push_back({t.pid, p->second.parent, tid});
  std::ranges::sort(threads, {}, &TreeThread::tid);
  return threads;
}

void Supervisor::look_for_hang() {
  const double now = monotonic_s();
  if (plan_.hang_s <= 0 || hang_told_ || now < next_hang_look_s_) return;
  next_hang_look_s_ = now + time_between_looks(plan_.hang_s);
  const auto root = processes_.find(root_);
  if (root == processes_.end() || !root->second.executed || root->second.grabbed || root_released_) return;
  look_at_main_threads(now);
  std::uint64_t ticks = 0;
  for (const auto& [pid, p] : processes_) ticks += cpu_ticks(pid);
  const double used_s = static_cast<double>(ticks - std::min(ticks, idle_ticks_)) / ticks_a_second;
  if (idle_since_s_ == 0 || ticks < idle_ticks_ || used_s > 0.03 + most_idle_share * (now - idle_since_s_)) {
    idle_since_s_ = now;
    idle_ticks_ = ticks;
  }
  const double since_s = std::max(idle_since_s_, root->second.still_since_s);
  if (now - since_s < plan_.hang_s) return;
  const TracedProcess* stuck = stuck_process();
  if (now - stuck->still_since_s < plan_.hang_s || stuck->grabbed || waits_on_purpose(stuck->main_thread)) return;
  on_hang(stuck->pid, now - since_s);
}

Death* Supervisor::hung_death() {
  const auto found = std::ranges::find_if(deaths_, [&](const Death& d) { return d.hung && plan_.kill_hung; });
  return found == deaths_.end() ? nullptr : &*found;
}

void Supervisor::on_hang(pid_t pid, double still_s) {
  hang_told_ = true;
  adopt_stderr();
  Death& death = new_death(pid);
  death.hung = true;
  if (!death.arena) return;
  const TracedProcess& p = processes_.at(pid);
  ArenaWriter arena(death.arena.storage());
  write_timeline(arena);
  TextRecord(arena, "hang").line("%.3f %d %llu %d\n", still_s, p.forked_from,
                                 static_cast<unsigned long long>(p.forked_from ? thread_count(p.forked_from) : 0), plan_.kill_hung);
  write_standstill(root_, tree_threads(), arena);
  const std::string id = death.id;
  copy_living(pid, arena);
  Death* copied = death_with(id);  // what has stopped meanwhile may have moved it
  if (!copied) return;
  keep_folders(*copied);
  if (!plan_.kill_hung) {
    start_developing(*copied);
    return tell(*copied, {.print = how_to_print(), .answers = 1, .after_seconds = monotonic_s() - started_s_});
  }
  // They end by our hand: there is no second death to explain.
  for (auto& [other, process] : processes_) process.grabbed = true;
  for (const auto& [other, process] : processes_) kill(other, SIGKILL);
}

}  // namespace sigwhy::capture
