#include "native/disposable_child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/owned_fd.h"

namespace sigwhy::native {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_output_bytes = 16 << 20;
#ifdef __SANITIZE_ADDRESS__
constexpr rlim_t most_data_bytes = RLIM_INFINITY;  // the sanitizer's own tables are larger than any sound limit
#else
constexpr rlim_t most_data_bytes = 2ul << 30;
#endif

[[noreturn]] void run_child(int out, const std::function<void(int)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_DUMPABLE, 0);
  // a crash in here is expected: no core, no handler of ours, no allocation that starves the machine
  for (const auto& [resource, limit] : {std::pair{RLIMIT_CORE, rlim_t{0}}, {RLIMIT_DATA, most_data_bytes}}) {
    const rlimit value{limit, limit};
    setrlimit(resource, &value);
  }
  for (const int number : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPIPE}) signal(number, SIG_DFL);
  work(out);
  _exit(0);
}

// Reads until the child closes its end; false when time ran out first.
bool read_until(Clock::time_point deadline, int from, std::string& into) {
  char buffer[16 << 10];
  while (into.size() < most_output_bytes) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{from, POLLIN, 0};
    const int ready = poll(&waiting, 1, static_cast<int>(std::max<std::int64_t>(left, 0)));
    if (ready == 0) return false;
    if (ready < 0 && errno == EINTR) continue;
    const auto got = read(from, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    into.append(buffer, static_cast<std::size_t>(got));
  }
  return true;
}

}  // namespace

ChildOutput in_disposable_child(std::chrono::milliseconds limit, const std::function<void(int)>& work) {
  ChildOutput output;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return output;
  OwnedFd from(ends[0]), to(ends[1]);
  const auto deadline = Clock::now() + limit;
  const pid_t child = fork();
  if (child < 0) return output;
  if (child == 0) {
    from = OwnedFd();
    run_child(to.get(), work);
  }
  { const OwnedFd closed_here = std::move(to); }
  output.timed_out = !read_until(deadline, from.get(), output.bytes);
  if (output.timed_out) kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  output.finished = !output.timed_out && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  return output;
}

}  // namespace sigwhy::native
