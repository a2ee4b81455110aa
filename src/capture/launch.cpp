#include "capture/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "capture/clock.h"
#include "capture/door.h"
#include "capture/keeper.h"
#include "capture/observe.h"
#include "capture/process_room.h"
#include "capture/sampling.h"
#include "capture/supervisor.h"
#include "capture/tee.h"

namespace sigwhy::capture {

namespace {

// A fork whose end raises no SIGCHLD: the program must not find one pending after its exec.
pid_t quiet_fork() { return static_cast<pid_t>(syscall(SYS_clone, 0, nullptr, nullptr, nullptr, nullptr)); }

// While it lives, a child leaves no trace in this process: none to wait for and no time in RUSAGE_CHILDREN (SIGCHLD
// is ignored, so the kernel reaps), and no orphan comes to us where the caller made us a subreaper.
class AsIfChildless {
 public:
  AsIfChildless() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGCHLD, &ignore, &before_);
    prctl(PR_GET_CHILD_SUBREAPER, &subreaper_);
    if (subreaper_) prctl(PR_SET_CHILD_SUBREAPER, 0);
  }
  ~AsIfChildless() { undo(); }
  AsIfChildless(const AsIfChildless&) = delete;

  void undo() const {
    sigaction(SIGCHLD, &before_, nullptr);
    if (subreaper_) prctl(PR_SET_CHILD_SUBREAPER, 1);
  }

 private:
  struct sigaction before_ {};
  int subreaper_ = 0;
};

struct Pipe {
  OwnedFd read, write;
};

Pipe make_pipe() {
  int ends[2] = {-1, -1};
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  const OwnedFd low_read(ends[0]), low_write(ends[1]);
  // Above 2, whichever of the standard descriptors the caller has closed.
  return {OwnedFd(fcntl(ends[0], F_DUPFD_CLOEXEC, 10)), OwnedFd(fcntl(ends[1], F_DUPFD_CLOEXEC, 10))};
}

void rename_self(std::span<char> argument_area, const char* name, pid_t root) {
  prctl(PR_SET_NAME, name);
  if (argument_area.empty()) return;
  memset(argument_area.data(), 0, argument_area.size());
  snprintf(argument_area.data(), argument_area.size(), "%s: supervising %d", name, root);
}

// We end with the root and not before: nobody's SIGTERM to the group, no terminal, no broken pipe ends us.
void ignore_signals() {
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGALRM, SIGUSR2,
                           SIGXCPU, SIGXFSZ})
    ::signal(signal, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  ::signal(SIGUSR1, SIG_DFL);  // `sigwhy release`: ending is letting go, the kernel detaches all
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

// To what the user may have, and above it where we may (root): a hard limit that ends the program would keep us from
// saying so.
void lift_limit(int resource, rlim_t wanted) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  const rlimit beyond{std::max(wanted, limit.rlim_max), std::max(wanted, limit.rlim_max)};
  const rlimit allowed{limit.rlim_max, limit.rlim_max};
  if (setrlimit(resource, &beyond) != 0) setrlimit(resource, &allowed);
}

// The program's limits are the program's; ours must not keep a report from being written.
void lift_limits() {
  constexpr rlim_t enough_files = 1024;  // there is a largest number here, and "unlimited" is refused
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_CPU}) lift_limit(resource, RLIM_INFINITY);
  lift_limit(RLIMIT_NOFILE, enough_files);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
}

// Keeps stderr and what is named; everything else of the program's belongs to the program.
void keep_only(std::initializer_list<int> kept) {
  const OwnedFd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  ::dup2(null.get(), 0);
  ::dup2(null.get(), 1);
  if (fcntl(2, F_GETFD) < 0) ::dup2(null.get(), 2);
  unsigned low = 3;
  while (low < ~0u) {
    unsigned next = ~0u;
    for (const int fd : kept)
      if (fd >= static_cast<int>(low) && static_cast<unsigned>(fd) < next) next = static_cast<unsigned>(fd);
    if (next > low && syscall(SYS_close_range, low, next == ~0u ? ~0u : next - 1, 0) != 0)
      for (unsigned fd = low; fd < 1024 && fd < next; ++fd) ::close(static_cast<int>(fd));
    if (next == ~0u) return;
    low = next + 1;
  }
}

void detach_from_program(std::initializer_list<int> kept) {
  ignore_signals();
  lift_limits();
  [[maybe_unused]] const int moved = ::chdir("/");
  keep_only(kept);
}

// What the process that is to exec the program waits for.
struct Ready {
  pid_t keeper;  // 0: there is none, or it will have nothing to do with the program
};

// `armed` is shared with the keeper; null: there is no keeper that could clear it.
[[noreturn]] void be_supervisor(pid_t root, const Plan& plan, const Tee& tee, Pipe& ready, Pipe& exec_result,
                                pid_t keeper, ArmedThreads* armed, RunTable* table) {
  const double started_s = monotonic_s();
  // The program waits for this one answer; everything else can be done while it starts.
  Supervisor supervisor(root, plan, started_s, armed, table);
  const int refused = plan.use_ptrace ? supervisor.seize() : 0;
  const bool traced = plan.use_ptrace && !refused;
  OwnedFd handle = traced ? OwnedFd() : handle_of(root);
  const Ready answer{traced && armed ? keeper : 0};
  [[maybe_unused]] const auto told = ::write(ready.write.get(), &answer, sizeof answer);
  detach_from_program({exec_result.read.get(), tee.source(), handle.get(), table ? table->wake_fd() : -1});
  if (armed) mind_keeper(keeper, armed);
  if (traced) open_door();
  if (!traced) observe(root, std::move(handle), plan, refused, std::move(exec_result.read), started_s, table);
  // Who watches what was let go must not be its tracer any more: ending is what detaches from all of it.
  else if (!supervisor.run() && supervisor.root_released() && quiet_fork() == 0)
    observe_released(root, plan, supervisor.release_reason(), started_s, table);
  if (table) end_run(*table, plan);
  _exit(0);
}

[[noreturn]] void be_keeper(pid_t root, const Plan& plan, Tee& tee, Pipe& ready, Pipe& exec_result,
                            std::span<char> argument_area) {
  setsid();
  const pid_t self = getpid();
  // Where the program may have only a handful of processes, we take one of them and not two.
  const bool keeping = plan.tee || may_have_many_processes();
  ArmedThreads* armed = keeping && handle_of(self) ? ArmedThreads::make() : nullptr;
  RunTable* table = keeping ? RunTable::make(root) : nullptr;
  const pid_t supervisor = keeping ? quiet_fork() : 0;
  if (supervisor == 0) {
    rename_self(argument_area, "sigwhy", root);
    be_supervisor(root, plan, tee, ready, exec_result, self, armed, table);
  }
  rename_self(argument_area, "sigwhy-keeper", root);
  const OwnedFd end = handle_of(supervisor);
  detach_from_program({tee.source(), end.get(), table ? table->wake_fd() : -1});
  ReportPlace place;
  if (!plan.tee && plan.forecast) place.leave_to(root);
  else if (!plan.tee) ::dup2(1, 2);  // only the relay writes
  Sampling sampling(root, supervisor, plan, table, place);
  keep(supervisor, end, tee, armed, sampling);
}

}  // namespace

Launch launch(const Plan& plan, std::span<char> argument_area) {
  Pipe ready = make_pipe(), exec_result = make_pipe();
  Launch result;
  if (!ready.read || !exec_result.read) return result;
  Tee tee = plan.tee ? Tee::make() : Tee();
  const pid_t root = getpid();
  Ready answer{};
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);  // Yama: let the grandchild attach
  {
    const AsIfChildless undone_at_the_end;
    const pid_t between = fork();
    if (between == 0) {
      const pid_t keeper = quiet_fork();
      if (keeper != 0) _exit(keeper < 0);
      undone_at_the_end.undo();
      be_keeper(root, plan, tee, ready, exec_result, argument_area);
    }
    ready.write = OwnedFd();
    exec_result.read = OwnedFd();
    if (between > 0) waitpid(between, nullptr, 0);
    result.supervised = between > 0 && ::read(ready.read.get(), &answer, sizeof answer) == sizeof answer;
  }
  // Yama: if the supervisor is killed, the keeper attaches to undo what it did.
  prctl(PR_SET_PTRACER, answer.keeper, 0, 0, 0);
  tee.redirect_stderr();
  result.exec_failed = std::move(exec_result.write);
  return result;
}

}  // namespace sigwhy::capture
