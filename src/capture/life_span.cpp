#include "capture/life_span.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/owned_fd.h"

namespace sigwhy::capture {

LifeSpan life_span_of(pid_t pid) {
  char path[64], text[2048];
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  if (size <= 0) return {};
  text[size] = '\0';
  // The name may hold blanks and brackets; fields are counted behind its last bracket, the state being the third.
  const char* rest = strrchr(text, ')');
  unsigned long long ticks = 0;
  if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu", &ticks) != 1)
    return {};
  timespec since_boot{};
  clock_gettime(CLOCK_BOOTTIME, &since_boot);
  const double now_s = static_cast<double>(since_boot.tv_sec) + static_cast<double>(since_boot.tv_nsec) / 1e9;
  const double lived_s = now_s - static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
  return {.started_unix_s = time(nullptr) - static_cast<std::int64_t>(lived_s),
          .seconds = lived_s > 0 ? lived_s : 0,
          .ended = rest[2] == 'Z' || rest[2] == 'X',
          .start_ticks = ticks};
}

// A limit of processor time that is both soft and hard kills without a word. The clock needs no file.
void write_cpu_time(pid_t pid, ArenaWriter& arena) {
  clockid_t clock;
  timespec used{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return;
  char text[32];
  const int size = snprintf(text, sizeof text, "%lld.%09ld", static_cast<long long>(used.tv_sec), used.tv_nsec);
  arena.file("cpu_time", text, static_cast<std::size_t>(size));
}

}  // namespace sigwhy::capture
