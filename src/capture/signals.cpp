#include "capture/signals.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/owned_fd.h"

namespace sigwhy::capture {

bool deadly_by_default(int signal) {
  switch (signal) {
    case SIGCHLD: case SIGURG: case SIGWINCH: case SIGCONT:
    case SIGSTOP: case SIGTSTP: case SIGTTIN: case SIGTTOU:
      return false;
    default:
      return true;
  }
}

bool ignored_by_default(int signal) { return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH; }

bool tells_a_place(int signal) {
  switch (signal) {
    case SIGSEGV: case SIGBUS: case SIGFPE: case SIGILL: case SIGABRT: case SIGTRAP: case SIGSYS:
      return true;
    default:
      return false;
  }
}

const char* signal_name(int signal) {
  static thread_local char name[32];
  const char* abbreviation = sigabbrev_np(signal);
  if (abbreviation) snprintf(name, sizeof name, "SIG%s", abbreviation);
  else snprintf(name, sizeof name, "signal %d", signal);
  return name;
}

Disposition disposition(pid_t pid, int signal) {
  char path[64], text[8192];
  snprintf(path, sizeof path, "/proc/%d/status", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : -1;
  if (size <= 0) return Disposition::unknown;
  text[size] = '\0';
  const auto mask = [&](const char* key) {
    const char* line = strstr(text, key);
    return line ? strtoull(line + strlen(key), nullptr, 16) : 0;
  };
  const std::uint64_t bit = std::uint64_t{1} << (signal - 1);
  if (mask("\nSigCgt:") & bit) return Disposition::caught;
  if (mask("\nSigIgn:") & bit) return Disposition::ignored;
  return Disposition::deadly;
}

}  // namespace sigwhy::capture
