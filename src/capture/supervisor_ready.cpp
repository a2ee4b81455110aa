// Between stops the supervisor sleeps. A moment after a program has begun, and only then, it opens what a kill would
// leave no memory for: the process's files of /proc, its control groups, the kernel's log, the tracepoint of kills.
// What lives shorter than that moment costs nothing.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "capture/clock.h"
#include "capture/quiet_timer.h"
#include "capture/read_again.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_renewed = 4;
constexpr std::size_t most_with_files = 64;
constexpr std::size_t most_asked_whether_killed = 256;
constexpr double rehearsals_apart = 4;  // times its age

bool is_polite(int signal) {
  return signal == SIGTERM || signal == SIGINT || signal == SIGXCPU || signal == SIGHUP || signal == SIGQUIT;
}

void copy_command(pid_t pid, char (&into)[16]) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/comm", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto got = fd ? ::read(fd.get(), into, sizeof into - 1) : 0;
  into[got > 0 ? got : 0] = '\0';
  if (char* end = strchr(into, '\n')) *end = '\0';
}

bool has_stopped(pid_t pid) {
  siginfo_t news{};
  return waitid(P_PID, static_cast<id_t>(pid), &news, WSTOPPED | WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 && news.si_pid;
}

// SIGKILL stands in the first thread's list of what it has yet to be told.
bool is_told_to_die(std::string_view status) {
  const auto at = status.find("\nSigPnd:");
  const auto line = at == status.npos ? std::string_view() : status.substr(at + 1, status.find('\n', at + 1) - at - 1);
  if (line.size() < 3) return true;
  const char digit = line[line.size() - 3];  // signals 9 to 12
  return (digit >= 'a' ? digit - 'a' + 10 : digit - '0') & 1;
}

// Tells a test, once, that whatever happens next will be seen.
void say_ready_for_test() {
  static const char* place = getenv("SIGWHY_TEST_READY");
  if (!place) return;
  const OwnedFd fd(::open(place, O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  if (fd && ::write(fd.get(), "ready\n", 6) == 6) place = nullptr;
}

}  // namespace

void Supervisor::want_files(TracedProcess& p) {
  if (p.files_wanted_s == 0) p.files_wanted_s = monotonic_s();
  start_quiet_timer();
}

// One process; false: none has waited long enough.
bool Supervisor::open_files() {
  const double now = monotonic_s();
  std::size_t open = 0;
  TracedProcess* next = nullptr;
  bool waiting = false;
  for (auto& [pid, p] : processes_) {
    if (p.files) ++open;
    if (p.files_wanted_s == 0 || !p.executed || p.releasing || p.grabbed) continue;
    waiting = true;
    const bool due = now - p.files_wanted_s >= quiet_after_s;
    if (due && (!next || pid == root_ || (next->pid != root_ && p.files_wanted_s < next->files_wanted_s))) next = &p;
  }
  const auto is_held = [](const auto& entry) { return entry.second.main_goes_by_s > 0; };
  if (!waiting && std::ranges::none_of(deaths_, &Death::waits_for_room) && std::ranges::none_of(processes_, is_held))
    rest_until_rehearsal();
  if (!next) return false;
  next->files_wanted_s = 0;
  if (open >= most_with_files && next->pid != root_ && !next->files) return true;
  next->files = ProcessFiles::of(next->pid);
  memory_.follow(group_of(*next));
  task_groups_.remember(next->pid);
  return true;
}

void Supervisor::rest_until_rehearsal() {
  double soonest = 0;
  for (const auto& [pid, p] : processes_)
    if (p.rehearse_at_s > 0 && (soonest == 0 || p.rehearse_at_s < soonest)) soonest = p.rehearse_at_s;
  if (soonest == 0) return stop_quiet_timer();
  slow_quiet_timer(std::max(quiet_after_s, soonest - monotonic_s()));
}

// One process whose turn it is; ever more seldom, for what a program imports it imports early.
void Supervisor::rehearse_grab() {
  const double now = monotonic_s();
  for (auto& [pid, p] : processes_) {
    if (p.rehearse_at_s == 0 || now < p.rehearse_at_s || !standby_ || p.grabbed) continue;
    // In a full group it would bring back pages that the kernel has just put out.
    if (memory_.has_room(group_of(p))) {
      ArenaWriter scratch(standby_.storage());
      rehearse({.pid = pid}, scratch);
    }
    p.rehearse_at_s = now + rehearsals_apart * (now - p.executed_at_s);
    return rest_until_rehearsal();
  }
}

// The next death finds an arena as well, where that takes nothing which the program may need.
bool Supervisor::renew_standby() {
  if (deaths_.empty() || deaths_.size() >= most_renewed || !memory_.has_room(deaths_.back().group)) return false;
  if (standby_) return standby_.prepare_more();
  standby_ = StandbyArena::make();
  return bool(standby_);
}

// One step of what need not be now; false: nothing is left.
bool Supervisor::get_ready() {
  start_waiting();
  for (auto& [pid, p] : processes_) release_main(p);
  if (memory_.open_more() || open_files() || renew_standby()) return true;
  memory_.remember();
  rehearse_grab();
  if (processes_[root_].files) say_ready_for_test();
  return false;
}

// Valid until the next file is read.
std::string_view Supervisor::group_of(const TracedProcess& p) const {
  return group_line(read_again(p.files.group.get()), "memory");
}

// Other traced processes that may have been killed at the same time: a counter that rose may have risen for them.
std::size_t Supervisor::count_doubtful(const TracedProcess& dying) const {
  std::size_t doubtful = 0, asked = 0;
  for (const auto& [pid, p] : processes_) {
    if (pid == dying.pid || p.grabbed) continue;
    if (++asked > most_asked_whether_killed) return doubtful + processes_.size();
    if (has_stopped(pid) || !p.files || is_told_to_die(read_again(p.files.status.get()))) ++doubtful;
  }
  return doubtful;
}

void Supervisor::note_polite(TracedProcess& p, const siginfo_t& info, bool ignored) {
  if (!is_polite(info.si_signo)) return;
  p.polite = {.info = info, .at_s = monotonic_s(), .ignored = ignored};
  if (info.si_code <= 0 && info.si_pid > 0) copy_command(info.si_pid, p.polite.command);
}

// Fills `info` where the tracepoint has seen who sent it.
Killing Supervisor::look_at_kill(const Tracee& t, const TracedProcess& p, siginfo_t& info) {
  others_.clear();
  for (const auto& [tid, other] : tracees_)
    if (other.pid == t.pid && others_.size() < others_.capacity()) others_.push_back(tid);
  char line[4096];
  const auto group = group_of(p);
  memcpy(line, group.data(), std::min(group.size(), sizeof line));
  const Killing killing = memory_.look(p.pid, others_, {line, std::min(group.size(), sizeof line)});
  if (!killing.sent) return killing;
  info.si_signo = SIGKILL;
  info.si_code = killing.sent->code;
  info.si_pid = killing.sent->sender;
  if (info.si_code > 0) return killing;
  struct stat owner {};
  char path[64];
  snprintf(path, sizeof path, "/proc/%d", info.si_pid);
  if (::stat(path, &owner) == 0) info.si_uid = owner.st_uid;
  return killing;
}

void Supervisor::write_bounds(TracedProcess& p, bool killed, ArenaWriter& arena) {
  if (!killed && !p.files) p.files = ProcessFiles::of(p.pid);
  char line[4096];
  const auto group = group_of(p);
  const std::string_view kept(line, std::min(group.size(), sizeof line));
  memcpy(line, group.data(), kept.size());
  if (!killed) memory_.follow(kept);
  memory_.take(kept, killed ? count_doubtful(p) : 0, arena);
  if (p.polite.at_s == 0) return;
  TextRecord out(arena, "asked_before");
  out.line("%lld %d\n", microseconds(monotonic_s() - p.polite.at_s), p.polite.ignored);
  out.bytes({reinterpret_cast<const char*>(&p.polite.info), sizeof p.polite.info});
  out.line("%s", p.polite.command);
}

}  // namespace sigwhy::capture
