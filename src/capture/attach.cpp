#include "capture/attach.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "capture/clock.h"
#include "capture/grab.h"
#include "capture/hurry.h"
#include "capture/life_span.h"
#include "capture/standby_arena.h"

namespace sigwhy::capture {

namespace {

constexpr double late_deadline_s = 2;
constexpr int looks_before = 4;
constexpr unsigned between_looks_us = 300;
constexpr int rounds = 3;
constexpr unsigned most_seconds = 5;  // then the child is ended, and with it all its holds
constexpr double turn_comes_within_s = 2;
constexpr unsigned ask_again_us = 5000;
constexpr int seizures = 3;

// What the child tells, in memory that both see.
struct Told {
  int refused = 0;  // errno of the first refusal; EBUSY: somebody else traces it
  bool done = false;
  bool broken = false;  // the child itself was ended
  double stopped_ms = 0;
};

std::vector<pid_t> threads_of(pid_t pid) {
  std::vector<pid_t> found;
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR* folder = opendir(path);
  if (!folder) return found;
  while (const dirent* entry = readdir(folder))
    if (const int tid = atoi(entry->d_name)) found.push_back(tid);
  closedir(folder);
  return found;
}

// A thread that has ended, or that somebody else traces, is refused as one that is forbidden.
int seize(pid_t tid) {
  for (int tried = 0; tried < seizures; ++tried) {
    if (ptrace(PTRACE_SEIZE, tid, nullptr, nullptr) == 0) return 0;
    const int error = errno;
    const auto thread = suspect(tid);
    if (!thread || thread->state == 'Z' || thread->state == 'X') return ESRCH;
    if (thread->tracer) return EBUSY;
    if (error != EPERM) return error;
  }
  return EPERM;
}

class Hold {
 public:
  explicit Hold(pid_t pid) : pid_(pid) { threads_.reserve(256); }

  // Looks for threads not known yet, and at all that have not been asked to stop.
  void survey();
  // Stops those that may be stopped; false: refused. `last`: no further round will come.
  bool stop(bool last, double since_s);
  void let_go();
  // And of those who had been asked to stop and come later: left alone, they would find their call interrupted.
  void let_go_of_late();
  std::vector<LivingThread> living() const;
  std::size_t size() const { return threads_.size(); }
  int refused() const { return refused_; }

 private:
  struct Thread : LivingThread {
    bool gone = false;
    int status = 0;
  };
  bool take(Thread& thread);
  bool collect(Thread& thread) const;
  Missing collect_all();

  pid_t pid_;
  int refused_ = 0;
  std::vector<Thread> threads_;
  std::unordered_set<pid_t> known_;
};

void Hold::survey() {
  for (const pid_t tid : threads_of(pid_))
    if (known_.insert(tid).second) threads_.emplace_back().look.tid = tid;
  for (Thread& t : threads_)
    if (!t.asked && !t.gone) t.look_again(pid_);
}

// Hold of a thread is taken only to stop it, and at once: a traced thread is woken even by signals that the program
// ignores, and so would be those that sleep undisturbed.
bool Hold::take(Thread& t) {
  const int error = seize(t.look.tid);
  if (error == 0) t.asked = ptrace(PTRACE_INTERRUPT, t.look.tid, nullptr, nullptr) == 0;
  t.gone = error == ESRCH;
  refused_ = t.gone ? 0 : error;
  return refused_ == 0;
}

bool Hold::stop(bool last, double since_s) {
  for (Thread& t : threads_) {
    if (t.asked || t.stopped || t.gone) continue;
    t.look_again(pid_);
    if (t.may_be_stopped(last) && !take(t)) return false;
  }
  while (!collect_all().enough(monotonic_s() - since_s, threads_.size())) usleep(20);
  return true;
}

// True once nothing more is to be waited for.
bool Hold::collect(Thread& t) const {
  if (!t.asked || t.stopped || t.gone) return true;
  const pid_t got = waitpid(t.look.tid, &t.status, WNOHANG | __WALL);
  if (got == 0) return false;
  t.stopped = got == t.look.tid && WIFSTOPPED(t.status);
  t.gone = !t.stopped;
  return true;
}

Missing Hold::collect_all() {
  Missing missing;
  for (Thread& t : threads_)
    if (!collect(t)) ++(t.look.doing == Doing::sleeps ? missing.asleep : missing.at_work);
  return missing;
}

void Hold::let_go() {
  for (Thread& t : threads_) {
    if (!t.stopped) continue;
    const bool by_signal = t.status >> 16 == 0;
    const int signal = by_signal ? WSTOPSIG(t.status) : 0;
    // A stopped job was interrupted by who stopped it.
    if (by_signal || WSTOPSIG(t.status) == SIGTRAP) undo_interruption(pid_, t.look.tid, signal);
    ptrace(PTRACE_DETACH, t.look.tid, nullptr, signal);
    t.stopped = t.asked = false;
    t.gone = true;
  }
}

void Hold::let_go_of_late() {
  const double deadline = monotonic_s() + late_deadline_s;
  for (bool all = false; !all && monotonic_s() < deadline; usleep(100)) {
    const Missing missing = collect_all();
    all = missing.at_work + missing.asleep == 0;
    let_go();
  }
}

std::vector<LivingThread> Hold::living() const {
  std::vector<LivingThread> list;
  for (const Thread& t : threads_)
    if (!t.gone && t.look.doing != Doing::gone) list.push_back(t);
  std::ranges::sort(list, {}, [&](const LivingThread& t) { return t.look.tid == pid_ ? 0 : t.look.tid; });
  return list;
}

void be_looker(pid_t pid, std::span<std::byte> storage, Told& told) {
  alarm(most_seconds);
  const Hurry hurry;
  ArenaWriter arena(storage);
  GrabRequest request{.pid = pid, .lives_on = true};
  const LifeSpan life = life_span_of(pid);
  request.started_unix_s = life.started_unix_s;
  request.after_seconds = life.seconds;
  grab_identity(request, arena);
  Hold hold(pid);
  for (int look = 0; look < looks_before; ++look) {
    hold.survey();
    usleep(between_looks_us);
  }
  const double stopped_at_s = monotonic_s();
  for (int round = 1; round <= rounds; ++round) {
    if (!hold.stop(round == rounds, stopped_at_s)) {
      told.refused = hold.refused();
      return hold.let_go_of_late();
    }
    hold.survey();  // threads that were born meanwhile
  }
  const auto living = hold.living();
  request.living = living;
  request.until_s = stopped_at_s + most_still_seconds(hold.size());
  grab_living(request, arena);
  hold.let_go();
  told.stopped_ms = (monotonic_s() - stopped_at_s) * 1e3;
  told.done = !living.empty();
  hold.let_go_of_late();
}

void send_looker(pid_t pid, std::span<std::byte> storage, Told& told) {
  told = {};
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    be_looker(pid, storage, told);
    _exit(0);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  told.broken = child < 0 || status != 0;
}

std::string setting(const char* path) {
  char text[64] = "";
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  return std::string(text, size > 0 ? static_cast<std::size_t>(size) : 0);
}

Error refusal(pid_t pid, int error) {
  const std::string what = "cannot look into process " + std::to_string(pid);
  if (error == EBUSY) return {what, "somebody else is tracing it", "try again, or end that one first"};
  if (error != EPERM) return errno_error(what, error);
  struct stat folder {};
  const bool others = ::stat(("/proc/" + std::to_string(pid)).c_str(), &folder) == 0 && folder.st_uid != geteuid();
  if (others && geteuid() != 0)
    return {what, "it belongs to user " + std::to_string(folder.st_uid), "call sigwhy attach as that user or as root"};
  const auto scope = setting("/proc/sys/kernel/yama/ptrace_scope");
  if (!scope.empty() && scope[0] != '0' && geteuid() != 0)
    return {what, "this machine lets a program trace its own children only (kernel.yama.ptrace_scope is " + scope.substr(0, 1) + ")",
            "call sigwhy attach as root, or start the program with sigwhy run"};
  return {what, "the kernel forbids it", "in a container: --cap-add=SYS_PTRACE"};
}

}  // namespace

Result<Suspect> suspect(pid_t pid) {
  char path[64], text[8192];
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  if (size <= 0) return failure("there is no process " + std::to_string(pid));
  text[size] = '\0';
  const auto number = [&](const char* key) {
    const char* line = strstr(text, key);
    return line ? atoi(line + strlen(key)) : 0;
  };
  Suspect s{.pid = number("\nTgid:"), .tracer = number("\nTracerPid:")};
  if (const char* state = strstr(text, "\nState:\t")) s.state = state[8];
  s.of_kernel = s.state != 'Z' && s.state != 'X' && !strstr(text, "\nVmSize:");
  return s;
}

Result<LivingArena> look_into(pid_t pid) {
  StandbyArena storage = StandbyArena::make();
  if (!storage) return failure("there is no memory for a look at it");
  while (storage.prepare_more()) {
  }
  void* shared = mmap(nullptr, sizeof(Told), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return std::unexpected(errno_error("cannot begin", errno));
  auto& told = *new (shared) Told;
  send_looker(pid, storage.storage(), told);
  // Another look is over in some milliseconds.
  for (const double since_s = monotonic_s(); told.refused == EBUSY && monotonic_s() - since_s < turn_comes_within_s;) {
    usleep(ask_again_us);
    send_looker(pid, storage.storage(), told);
  }
  const Told answer = told;
  munmap(shared, sizeof(Told));
  if (answer.refused) return std::unexpected(refusal(pid, answer.refused));
  if (!answer.done && answer.broken) return failure("the look into process " + std::to_string(pid) + " failed");
  if (!answer.done) return failure("process " + std::to_string(pid) + " ended while it was looked at");
  return LivingArena{OwnedFd(fcntl(storage.fd(), F_DUPFD_CLOEXEC, 10)), answer.stopped_ms};
}

}  // namespace sigwhy::capture
