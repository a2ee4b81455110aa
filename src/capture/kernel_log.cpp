#include "capture/kernel_log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "capture/clock.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr int most_records = 20000;
constexpr ino_t first_pid_namespace = 0xEFFFFFFC;  // the kernel's PROC_PID_INIT_INO

}  // namespace

bool in_first_pid_namespace() {
  static const bool first = [] {
    struct stat status {};
    return ::stat("/proc/self/ns/pid", &status) == 0 && status.st_ino == first_pid_namespace;
  }();
  return first;
}

KernelLog KernelLog::open() {
  KernelLog log;
  const char* without = getenv("SIGWHY_TEST_WITHOUT");
  if (without && strstr(without, "log")) return log;
  log.fd_ = to_keep(OwnedFd(::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)));
  if (!log.fd_) return log;
  in_first_pid_namespace();
  // One record, to have all that reading needs, then the end.
  char record[8192];
  [[maybe_unused]] const auto got = ::read(log.fd_.get(), record, sizeof record);
  if (::lseek(log.fd_.get(), 0, SEEK_END) < 0) log.fd_ = OwnedFd();
  return log;
}

void KernelLog::keep(const char* record, std::size_t size) {
  const std::string_view text(record, size);
  if (!text.contains("oom-kill:") && !text.contains("Killed process ")) return;
  char* into = lines_[count_++ % lines_.size()].text;
  // One line: what follows a line end are details for machines. A long one keeps its end, where the process stands.
  const auto line = text.substr(0, text.find('\n'));
  const auto room = sizeof lines_[0].text - 1;
  std::size_t head = std::min(line.size(), room);
  if (line.size() > room) {
    head = std::min<std::size_t>(64, line.find(';') + 1);
    memcpy(into, line.data(), head);
    memcpy(into + head, line.data() + line.size() - (room - head), room - head);
    into[room] = '\0';
    return;
  }
  memcpy(into, line.data(), head);
  into[head] = '\0';
}

void KernelLog::read_on() {
  if (!fd_) return;
  static char record[8192];
  for (int i = 0; i < most_records; ++i) {
    const auto got = ::read(fd_.get(), record, sizeof record);
    if (got > 0) keep(record, static_cast<std::size_t>(got));
    else if (got < 0 && errno == EPIPE) lost_ = true;
    else if (got < 0 && errno == EINTR) continue;
    else return;
  }
  lost_ = true;
}

bool KernelLog::names(pid_t pid) const {
  if (!in_first_pid_namespace()) return false;
  char words[64];
  snprintf(words, sizeof words, "Killed process %d ", pid);
  return std::ranges::any_of(lines_, [&](const Line& line) { return strstr(line.text, words) != nullptr; });
}

void KernelLog::take(ArenaWriter& arena, double now_s) const {
  if (!fd_) return;
  TextRecord out(arena, "kernel_log");
  out.line("now %lld whole %d same_pids %d\n", microseconds(now_s), !lost_, in_first_pid_namespace());
  const auto first = count_ > lines_.size() ? count_ - lines_.size() : 0;
  for (auto i = first; i < count_; ++i) out.line("%s\n", lines_[i % lines_.size()].text);
}

}  // namespace sigwhy::capture
