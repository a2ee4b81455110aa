#include "experiment/layer_init.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "base/owned_fd.h"

namespace sigwhy::experiment {

namespace {

constexpr int own_error = 125;

void say(int fd, const Said& said) { [[maybe_unused]] const auto wrote = ::write(fd, &said, sizeof said); }

[[noreturn]] void refuse(const InitPlan& plan, const Error& error) {
  Said said{.kind = Said::refused};
  snprintf(said.what, sizeof said.what, "%s", error.what.c_str());
  snprintf(said.cause, sizeof said.cause, "%s", error.cause.c_str());
  say(plan.say, said);
  ::_exit(own_error);
}

void note_places(Said& said, const std::vector<std::string>& places) {
  std::string list;
  for (const auto& place : places) list += (list.empty() ? "" : ", ") + place;
  snprintf(said.read_only, sizeof said.read_only, "%s", list.c_str());
}

void lower_limit(int which, rlim_t wanted) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(which), &limit) != 0 || limit.rlim_cur <= wanted) return;
  limit.rlim_cur = wanted;
  (void)::setrlimit(static_cast<__rlimit_resource_t>(which), &limit);
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> list;
  for (const auto& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

[[noreturn]] void become_program(const InitPlan& plan, const sigset_t& usual_signals) {
  const LayerRun& run = plan.run;
  ::setsid();
  if (plan.group >= 0 && ::write(plan.group, "0", 1) != 1 && run.memory_bytes)
    refuse(plan, errno_error("cannot use a memory control group", errno));
  const std::string& from = run.stdin_file.empty() ? "/dev/null" : run.stdin_file;
  int input = ::open(from.c_str(), O_RDONLY);
  if (input < 0) input = ::open("/dev/null", O_RDONLY);
  ::dup2(input, 0);
  ::dup2(plan.output, 1);
  ::dup2(plan.output, 2);
  ::close_range(3, ~0u, 0);
  // A file larger than the whole layer; and no core file: 1 stops even a handler that cores are piped to.
  lower_limit(RLIMIT_FSIZE, run.bytes);
  lower_limit(RLIMIT_CORE, 1);
  ::sigprocmask(SIG_SETMASK, &usual_signals, nullptr);
  if (!run.directory.empty() && ::chdir(run.directory.c_str()) != 0) {
    fprintf(stderr, "sigwhy: cannot enter %s: %s\n", run.directory.c_str(), strerror(errno));
    ::_exit(own_error);
  }
  auto argv = pointers(run.argv), environment = pointers(run.environment);
  ::execve(argv[0], argv.data(), environment.data());
  fprintf(stderr, "sigwhy: cannot run %s: %s\n", argv[0], strerror(errno));
  ::_exit(own_error);
}

// Children first seen now; their own children come to us when they die.
void kill_children() {
  FILE* list = fopen("/proc/thread-self/children", "re");
  if (!list) return;
  for (int pid = 0; fscanf(list, "%d", &pid) == 1;) ::kill(pid, SIGKILL);
  fclose(list);
}

void kill_all_below() {
  for (;;) {
    kill_children();
    const pid_t ended = ::waitpid(-1, nullptr, 0);
    if (ended < 0 && errno == ECHILD) return;
  }
}

// The file system that the overlay over "/" writes to.
bool no_room_left() {
  struct statfs found {};
  return ::statfs("/", &found) == 0 && found.f_bavail * 100 < found.f_blocks;
}

// Until the program has ended, or the layer is to end.
bool program_ended(pid_t program, const sigset_t& awaited, Said& said) {
  for (;;) {
    int status = 0;
    rusage use{};
    for (pid_t ended; (ended = ::wait4(-1, &status, WNOHANG, &use)) > 0;) {
      if (ended != program) continue;
      said = {.kind = Said::ended, .wait_status = status, .most_resident_kib = use.ru_maxrss};
      return true;
    }
    if (::sigwaitinfo(&awaited, nullptr) == SIGTERM) return false;
  }
}

}  // namespace

void layer_init(const InitPlan& plan) {
  ::prctl(PR_SET_PDEATHSIG, plan.namespaces.pid ? SIGKILL : SIGTERM);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::setsid();
  sigset_t awaited, usual;
  sigemptyset(&awaited);
  for (const int signal : {SIGCHLD, SIGTERM, SIGINT, SIGHUP}) sigaddset(&awaited, signal);
  ::sigprocmask(SIG_BLOCK, &awaited, &usual);
  if (plan.namespaces.user)
    if (auto mapped = map_own_user(plan.user_id, plan.group_id); !mapped) refuse(plan, mapped.error());
  char go = 0;
  if (::read(plan.go, &go, 1) != 1) ::_exit(own_error);  // whoever wanted the layer is gone
  if (plan.namespaces.network) bring_loopback_up();
  if (plan.namespaces.mount) give_up_the_machine();
  Said ready{.kind = Said::ready};
  if (plan.namespaces.mount) {
    const auto entered = enter_new_root(plan.root);
    if (!entered) refuse(plan, entered.error());
    note_places(ready, *entered);
  }
  say(plan.say, ready);
  if (plan.only_try) ::_exit(0);

  Said end;
  const pid_t program = ::fork();
  if (program == 0) become_program(plan, usual);
  if (program < 0) refuse(plan, errno_error("cannot start a process", errno));
  const bool ended = program_ended(program, awaited, end);
  if (!plan.namespaces.pid) kill_all_below();
  end.full = plan.namespaces.mount && plan.root.in_memory && no_room_left();
  if (ended) say(plan.say, end);
  ::_exit(0);
}

}  // namespace sigwhy::experiment
