#include "capture/observe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/types.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <optional>
#include <string>

#include "capture/clock.h"
#include "capture/companion.h"
#include "capture/grab.h"
#include "capture/plain_facts.h"
#include "capture/standby_arena.h"
#include "capture/start.h"

namespace sigwhy::capture {

namespace {

// struct pidfd_info of kernel 6.15 (first published size, 64 bytes); older headers lack it.
struct PidfdInfo {
  __u64 mask;
  __u64 cgroup;
  __u32 pid, tgid, ppid, ruid, rgid, euid, egid, suid, sgid, fsuid, fsgid;
  __s32 exit_code;
};
static_assert(sizeof(PidfdInfo) == 64);
constexpr unsigned long pidfd_get_info = _IOWR(0xFF, 11, PidfdInfo);
constexpr __u64 pidfd_info_exit = 1u << 3;

std::optional<int> status_by_pidfd(int pidfd) {
  PidfdInfo info{};
  info.mask = pidfd_info_exit;
  if (ioctl(pidfd, pidfd_get_info, &info) != 0 || !(info.mask & pidfd_info_exit)) return std::nullopt;
  return info.exit_code;
}

// The last field but one of /proc/PID/stat, readable only while the zombie stands.
std::optional<int> status_by_zombie(pid_t pid) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  if (size <= 0) return std::nullopt;
  text[size] = '\0';
  const char* state = strrchr(text, ')');
  const char* last = strrchr(text, ' ');
  if (!state || state[2] != 'Z' || !last) return std::nullopt;
  return atoi(last + 1);
}

void write_identity(ArenaWriter& arena, pid_t root, const Plan& plan, double started_s) {
  const ProcessRecord process{.pid = root, .started_unix_s = time(nullptr), .after_seconds = monotonic_s() - started_s};
  arena.append(RecordType::process, &process, sizeof process);
  write_start(plan, arena);
}

void watch(pid_t root, const OwnedFd& pidfd, const Plan& plan, const char* why, const char* remedy,
           double started_s, RunTable* table) {
  if (!pidfd) return;
  const auto companion = companion_command();
  StandbyArena standby = StandbyArena::make();
  pollfd end{.fd = pidfd.get(), .events = POLLIN, .revents = 0};
  while (::poll(&end, 1, -1) < 0 && errno == EINTR) {
  }
  const auto status = end_status(pidfd, root);
  if (!standby || (status.value_or(0) == 0 && !plan.always && !plan.wants_case)) return;
  ArenaWriter arena(standby.storage());
  write_identity(arena, root, plan, started_s);
  if (table) table->copy_into(arena, monotonic_s() - started_s);
  arena.gap("registers, stacks and memory of the dying program", why, remedy);
  if (!status)
    arena.gap("how it ended", "its parent had taken the wait status before we could read it", remedy);
  const EndMessage message{.wait_status = status.value_or(0),
                           .print = plan.quiet ? 0 : plan.always ? 2 : 1,
                           .answers = 1,
                           .after_seconds = monotonic_s() - started_s};
  const Developer developer = start_developer(companion, plan.developer_arguments, standby.fd(), -1);
  if (!developer.gate) return print_plain_facts(standby.storage(), message);
  if (table) table->set_told();
  ::send(developer.gate.get(), &message, sizeof message, MSG_NOSIGNAL);
  waitpid(developer.pid, nullptr, 0);
}

}  // namespace

std::optional<int> end_status(const OwnedFd& pidfd, pid_t pid) {
  auto status = status_by_pidfd(pidfd.get());
  if (!status) status = status_by_zombie(pid);
  // The pidfd answers once the zombie is gone, so between the two questions it may have begun to.
  return status ? status : status_by_pidfd(pidfd.get());
}

OwnedFd handle_of(pid_t root) {
  const OwnedFd low(static_cast<int>(syscall(SYS_pidfd_open, root, 0)));
  return OwnedFd(low ? fcntl(low.get(), F_DUPFD_CLOEXEC, 10) : -1);
}

void observe(pid_t root, OwnedFd handle, const Plan& plan, int refused, OwnedFd exec_result, double started_s,
             RunTable* table) {
  char failed = 0;
  if (::read(exec_result.get(), &failed, 1) == 1) return;  // the front has said what it had to say
  if (!refused)
    return watch(root, handle, plan, "--no-ptrace was given", "run without --no-ptrace", started_s, table);
  char why[128];
  snprintf(why, sizeof why, "tracing was refused: %s", strerror(refused));
  watch(root, handle, plan, why,
        "allow ptrace: in a container --cap-add=SYS_PTRACE or a seccomp profile that permits it, on the machine "
        "kernel.yama.ptrace_scope at most 1",
        started_s, table);
}

void observe_released(pid_t root, const Plan& plan, const char* reason, double started_s,
                      RunTable* table) {
  watch(root, handle_of(root), plan, reason, "", started_s, table);
}

}  // namespace sigwhy::capture
