// The root has ended. Whose death was it? Its own; or the earliest unhandled death in the tree whose status
// travelled up to it: a shell turns its child's SIGSEGV into exit 139, a process pool into an exception and exit 1,
// while `sh -c './crash; exit 0'` ends 0 and gets no word.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "capture/clock.h"
#include "capture/keeper.h"
#include "capture/plain_facts.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

namespace {

// A parent that ends this long after its child's death probably ended for a reason of its own. It may take a while to
// notice: torch looks after its workers every 5 seconds.
constexpr double travels_within_s = 7;
constexpr double fault_ends_within_s = 2;
constexpr std::uint64_t handler_stack_bytes = 256u << 10;
constexpr double report_deadline_s = 10;
constexpr double bystander_deadline_s = 2;
constexpr double report_deadline_with_downloads_s = 60;

bool failed(int wait_status) { return wait_status != 0; }

// As a shell says it.
int number_of(int wait_status) { return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status); }

bool travelled(const EndedProcess& child, const Death& death, int parent_status, double parent_at_s) {
  if (!failed(parent_status)) return false;
  const bool soon = parent_at_s - child.at_s < travels_within_s;
  // A child that fails is often asked for nothing but its status; only one that is handed on counts.
  if (death.exception) return soon && child.wait_status == parent_status;
  // The shell's number, which one process after another may hand on.
  const bool by_signal = number_of(child.wait_status) > 128;
  const bool same_number = by_signal && WIFEXITED(parent_status) && number_of(parent_status) == number_of(child.wait_status);
  return same_number || (death.own_fault && soon);
}

// timeout(1): when its timer rings it ends its child, and then itself with a number of its own or by the same signal.
bool timed_out(const EndedProcess& child, const Death& death, const EndedProcess& parent) {
  constexpr int time_was_up = 124;
  if (death.pid != child.pid || death.sent_by != parent.pid || parent.handled != SIGALRM) return false;
  if (parent.at_s - child.at_s > travels_within_s) return false;
  return WIFEXITED(parent.wait_status) ? WEXITSTATUS(parent.wait_status) == time_was_up : parent.wait_status == child.wait_status;
}

bool hands_on(const EndedProcess& child, const EndedProcess& parent) {
  return WIFEXITED(parent.wait_status) && number_of(parent.wait_status) == number_of(child.wait_status) &&
         parent.at_s - child.at_s < travels_within_s;
}

}  // namespace

// It started others after that death, and ended as one of them did: `./crash; ./next; exit $?`. A shell becomes the last
// one itself.
bool Supervisor::went_on(const EndedProcess& child, int parent_status, double parent_executed_at_s) const {
  return parent_executed_at_s > child.at_s || std::ranges::any_of(ended_, [&](const EndedProcess& later) {
    return later.parent == child.parent && later.made_at_s > child.at_s && number_of(later.wait_status) == number_of(parent_status);
  });
}

Death* Supervisor::death_of(pid_t pid) {
  const auto found = std::ranges::find_if(deaths_, [&](const Death& d) { return d.pid == pid && !d.hung; });
  return found == deaths_.end() ? nullptr : &*found;
}

Death* Supervisor::death_with(const std::string& id) {
  const auto found = std::ranges::find(deaths_, id, &Death::id);
  return found == deaths_.end() ? nullptr : &*found;
}

// Where the root raised an exception itself, that one is the answer, and not one that it had seen a child end by.
bool Supervisor::may_answer(const Death& death) const {
  return !death.exception ||
         std::ranges::none_of(deaths_, [&](const Death& d) { return d.pid == root_ && d.exception; });
}

bool Supervisor::ended_by_timer_of_root(const Death& death) const {
  const auto root = processes_.find(root_);
  return root != processes_.end() && death.sent_by == root_ && root->second.handled_last() == SIGALRM;
}

Death* Supervisor::death_that_travelled_up(int root_status) {
  const TracedProcess& top = processes_[root_];
  const EndedProcess root{.pid = root_, .wait_status = root_status, .at_s = monotonic_s(), .executed_at_s = top.executed_at_s, .handled = top.handled_last()};
  for (Death& death : deaths_) {
    if (!may_answer(death)) continue;
    pid_t at = death.pid;
    bool by_timer = false;
    for (std::size_t step = 0; at != root_ && step <= ended_.size(); ++step) {
      const auto child = std::ranges::find(ended_, at, &EndedProcess::pid);
      if (child == ended_.end()) break;
      const auto found = std::ranges::find(ended_, child->parent, &EndedProcess::pid);
      if (child->parent != root_ && found == ended_.end()) break;
      const EndedProcess& parent = child->parent == root_ ? root : *found;
      const bool handed_on = by_timer && hands_on(*child, parent);
      by_timer = by_timer || timed_out(*child, death, parent);
      const bool ended_it = by_timer && child->pid == death.pid;
      if (!ended_it && !handed_on && !travelled(*child, death, parent.wait_status, parent.at_s)) break;
      if (went_on(*child, parent.wait_status, parent.executed_at_s)) break;
      at = child->parent;
    }
    if (at == root_ && death.pid != root_) return &death;
  }
  return nullptr;
}

// A worker that ended well but damaged its heap, where there is nothing else to tell.
Death* Supervisor::worker_with_finding() {
  const auto found = std::ranges::find_if(deaths_, [&](const Death& d) {
    return d.guard_found && d.pid != root_ && std::ranges::find(ended_, d.pid, &EndedProcess::pid) != ended_.end();
  });
  return found == deaths_.end() ? nullptr : &*found;
}

// Did the program end from inside its own fault handler? Same thread, soon after, and still deeper on the stack
// than the fault (or on the alternate stack). A JVM that turned the fault into an exception has long returned.
bool Supervisor::fault_ended_it(const TracedProcess& p, const Tracee& t) const {
  if (!p.fault.valid || p.fault.tid != t.tid || candidate_pid_ != p.pid) return false;
  if (monotonic_s() - p.fault.at_s > fault_ends_within_s) return false;
  const std::uint64_t now = stack_pointer_of(t.tid), then = p.fault.stack_pointer;
  return now && (now < then || now - then > handler_stack_bytes);
}

void Supervisor::keep_folders(Death& death) {
  const auto opened = [&](const char* name, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", death.pid, name);
    const OwnedFd low(::open(path, flags | O_CLOEXEC));
    return OwnedFd(low ? fcntl(low.get(), F_DUPFD_CLOEXEC, 10) : -1);
  };
  death.root = opened("root", O_PATH | O_DIRECTORY);
  death.mounts = opened("ns/mnt", O_RDONLY);
}

void Supervisor::adopt_stderr() { report_place_.adopt(); }

void Supervisor::tell(Death& death, const EndMessage& message) {
  death.told = true;
  if (death.developer.gate) ::send(death.developer.gate.get(), &message, sizeof message, MSG_NOSIGNAL);
}

// Threads that an exec ends may look as if they were killed, but the one that called it does not leave.
bool Supervisor::all_are_leaving() const {
  return std::ranges::all_of(others_, [&](pid_t tid) {
    const auto found = tracees_.find(tid);
    return found != tracees_.end() && found->second.status >> 16 == PTRACE_EVENT_EXIT;
  });
}

int Supervisor::how_to_print() const { return plan_.quiet ? 0 : plan_.always ? 2 : 1; }

void Supervisor::tell_root_end(Death& death, int status, double after_s) {
  if (table_) table_->set_told();
  if (!death.told)
    tell(death, {.wait_status = status, .print = how_to_print(), .answers = 1, .after_seconds = after_s});
}

// The root raised an exception after that death. Only what it says can tell whether it is about the child. Meanwhile
// others may die, and deaths_ move.
bool Supervisor::answers_for_itself(Death& own, int status, double after_s) {
  if (!own.exception || own.told) return false;
  const std::string id = own.id;
  if (Death* started = start_at_last(id))
    wait_for_report(*started, {.wait_status = status, .print = how_to_print(), .answers = 1, .yields = 1, .after_seconds = after_s});
  const Death* now = death_with(id);
  return now && now->stored && !now->yielded;
}

// A child's: developed once already, without a word, when it happened; now it is the answer.
void Supervisor::tell_of_child(Death& child, int status, double after_s) {
  const auto ended = std::ranges::find(ended_, child.pid, &EndedProcess::pid);
  const EndMessage message{.wait_status = ended == ended_.end() ? status : ended->wait_status,
                           .print = how_to_print(),
                           .answers = 1,
                           .after_seconds = after_s,
                           .root_pid = child.pid == root_ ? 0 : root_,
                           .root_wait_status = status};
  finish(child);
  if (Death* started = start_at_last(child.id)) wait_for_report(*started, message);
}

void Supervisor::on_root_end(int status) {
  const TracedProcess& root = processes_[root_];
  const double after_s = monotonic_s() - started_s_;
  Death* own = root.executed ? death_of(root_) : nullptr;
  const bool by_own_hand = WIFEXITED(status) || (own && own->sent_by == root_);
  Death* cause = by_own_hand && failed(status) ? death_that_travelled_up(status) : nullptr;
  if (!cause && !failed(status) && (!own || !own->guard_found)) cause = worker_with_finding();
  if (Death* hung = hung_death()) cause = hung;
  pause_for_test("hold");
  if ((cause || own) && table_) table_->set_told();
  if (cause) {
    const std::string id = cause->id;
    if (!own || !cause->own_fault || !answers_for_itself(*own, status, after_s)) tell_of_child(*death_with(id), status, after_s);
  } else if (own) {
    if (Death* started = start_at_last(own->id))
      wait_for_report(*started, {.wait_status = status, .print = how_to_print(), .answers = 1, .after_seconds = after_s});
  }
  for (Death& death : deaths_) finish(death);
  write_counts();
  if (table_ && !keeper_is_gone()) table_->end();  // whoever sees the root's end finds nothing of it on the disk
  int reaped = 0;
  waitpid(root_, &reaped, __WALL);
}

// Lets a quiet developing process end before we do: whoever sees the root's end finds nothing of ours still at work.
void Supervisor::finish(Death& death) {
  if (!death.developer.gate) return;
  if (!death.told) ::shutdown(death.developer.gate.get(), SHUT_WR);  // it reads the end and leaves
  const double deadline = monotonic_s() + bystander_deadline_s;
  while (!death.stored && monotonic_s() < deadline && serve_developer(death)) {
  }
  death.developer.gate = OwnedFd();
}

// While the report is made the rest of the tree must not stand still.
void Supervisor::serve_stops() {
  for (;;) {
    siginfo_t info{};
    if (waitid(P_ALL, 0, &info, WSTOPPED | WNOHANG | WNOWAIT | __WALL) != 0 || info.si_pid == 0) return;
    int status = 0;
    const bool got = waitpid(info.si_pid, &status, WNOHANG | WUNTRACED | __WALL) == info.si_pid;
    if (got && WIFSTOPPED(status) && is_traced(info.si_pid, status)) on_stop(info.si_pid, status);
  }
}

bool Supervisor::serve_developer(Death& death) {
  double printed_at_s = 0;
  pollfd gate{.fd = death.developer.gate.get(), .events = POLLIN, .revents = 0};
  if (::poll(&gate, 1, 2) <= 0) return true;
  death.stored = ::read(gate.fd, &printed_at_s, sizeof printed_at_s) == sizeof printed_at_s;
  death.yielded = death.stored && printed_at_s == child_answers;
  if (death.stored && !death.yielded) counts_.report_ms = (printed_at_s - counts_.fatal_at_s) * 1e3;
  return false;
}

void Supervisor::wait_for_report(Death& death, const EndMessage& message) {
  if (!death.told) tell(death, message);
  const double deadline =
      monotonic_s() + (getenv("DEBUGINFOD_URLS") ? report_deadline_with_downloads_s : report_deadline_s);
  const std::string id = death.id;
  while (death.developer.gate && monotonic_s() < deadline) {
    if (!serve_developer(death)) break;
    serve_stops();
    // serving a stop may have added a death and moved them all
    if (Death* now = death_with(id); now && now != &death) return wait_for_report(*now, message);
  }
  if (death.developer.pid && !death.stored) kill(death.developer.pid, SIGKILL);
  if (!death.stored && message.print) print_plain_facts(death.arena.storage(), message);
}

void Supervisor::write_timeline(ArenaWriter& arena) const {
  if (table_) table_->copy_into(arena, monotonic_s() - started_s_);
  else arena.gap("memory over time", "there is no process that could read it while the program runs", "raise RLIMIT_NPROC or the control group's pids.max");
}

void Supervisor::write_counts() const {
  const char* path = getenv("SIGWHY_TEST_STATS");
  FILE* file = path ? fopen(path, "we") : nullptr;
  if (!file) return;
  for (const Death& death : deaths_)
    if (death.developer.pid) waitpid(death.developer.pid, nullptr, 0);
  rusage own{}, children{};
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  const auto ms = [](timeval t) { return static_cast<double>(t.tv_sec) * 1e3 + static_cast<double>(t.tv_usec) / 1e3; };
  fprintf(file,
          "{\"stops\":%llu,\"cpu_ms\":%.3f,\"max_rss_kb\":%ld,\"stopped_ms\":%.3f,\"report_ms\":%.3f,"
          "\"developer_max_rss_kb\":%ld,\"exception_ms\":%.3f,\"page_faults\":%ld}\n",
          static_cast<unsigned long long>(counts_.stops), ms(own.ru_utime) + ms(own.ru_stime), own.ru_maxrss,
          counts_.stopped_ms, counts_.report_ms, children.ru_maxrss, counts_.exception_ms, counts_.page_faults);
  fclose(file);
}

// Lets a test kill the supervisor in a chosen phase.
void Supervisor::pause_for_test(const char* phase) const {
  const char* wanted = getenv("SIGWHY_TEST_PAUSE");
  if (wanted && strcmp(wanted, phase) == 0) raise(SIGSTOP);
}

}  // namespace sigwhy::capture
