#include "capture/tee.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>

#include "capture/read_again.h"

namespace sigwhy::capture {

// Shared between keeper (writes) and supervisor (reads): a ring of the newest bytes.
struct TeeTail {
  static constexpr std::size_t capacity = 64u << 10;
  std::atomic<std::uint64_t> total{0};
  std::atomic<bool> passing_on{false};  // bytes are neither in the pipe any more nor in the ring yet
  int source = -1;
  char ring[capacity];
};

namespace {

constexpr int most_looks = 400;  // a fifth of a second: on a busy machine the keeper's turn may come late
constexpr unsigned between_looks_us = 500;

TeeTail* tail = nullptr;

OwnedFd above_standard(int fd) {
  const OwnedFd low(fd);
  return OwnedFd(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
}

bool open_pty(OwnedFd& source, OwnedFd& sink) {
  source = above_standard(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  char name[128];
  if (grantpt(source.get()) != 0 || unlockpt(source.get()) != 0 || ptsname_r(source.get(), name, sizeof name) != 0)
    return false;
  sink = above_standard(::open(name, O_RDWR | O_NOCTTY | O_CLOEXEC));
  termios settings{};
  winsize size{};
  if (tcgetattr(2, &settings) == 0) {
    settings.c_oflag &= ~static_cast<tcflag_t>(OPOST);  // the real terminal does that, once
    tcsetattr(sink.get(), TCSANOW, &settings);
  }
  if (ioctl(2, TIOCGWINSZ, &size) == 0) ioctl(sink.get(), TIOCSWINSZ, &size);
  return bool(sink);
}

bool open_pipe(OwnedFd& source, OwnedFd& sink) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  source = above_standard(ends[0]);
  sink = above_standard(ends[1]);
  return true;
}

void remember(const char* bytes, std::size_t size) {
  std::uint64_t total = tail->total.load();
  for (std::size_t i = 0; i < size; ++i) tail->ring[(total + i) % TeeTail::capacity] = bytes[i];
  tail->total.store(total + size);
}

}  // namespace

Tee Tee::make() {
  Tee tee;
  void* shared = mmap(nullptr, sizeof(TeeTail), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const bool opened = isatty(2) ? open_pty(tee.source_, tee.sink_) : open_pipe(tee.source_, tee.sink_);
  if (shared == MAP_FAILED || !opened) return {};
  tail = new (shared) TeeTail;
  tail->source = tee.source_.get();
  return tee;
}

void Tee::redirect_stderr() {
  if (sink_) ::dup2(sink_.get(), 2);
}

void Tee::relay(int other, const std::function<void()>& event) {
  if (!source_) return;
  sink_ = OwnedFd();
  char buffer[16384];
  pollfd ends[] = {{.fd = source_.get(), .events = POLLIN, .revents = 0}, {.fd = other, .events = POLLIN, .revents = 0}};
  for (;;) {
    tail->passing_on.store(false);
    if (::poll(ends, 2, -1) > 0 && ends[1].revents) {
      event();
      ends[1].fd = -1;
    }
    if (!ends[0].revents) continue;
    tail->passing_on.store(true);
    const auto got = ::read(source_.get(), buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;  // a pty says EIO when its last writer is gone
    for (ssize_t done = 0; done < got;) {
      const auto wrote = ::write(2, buffer + done, static_cast<std::size_t>(got - done));
      if (wrote <= 0) break;
      done += wrote;
    }
    remember(buffer, static_cast<std::size_t>(got));
  }
  tail->passing_on.store(false);
}

void copy_tee_tail(ArenaWriter& arena) {
  if (!tail) return;
  // In this order: what is not in the pipe any more is being passed on.
  const auto on_the_way = [] {
    int waiting = 0;
    return (ioctl(tail->source, FIONREAD, &waiting) == 0 && waiting) || tail->passing_on.load();
  };
  for (int i = 0; i < most_looks && on_the_way(); ++i) usleep(between_looks_us);
  const std::uint64_t total = tail->total.load();
  const auto size = std::min<std::uint64_t>(total, TeeTail::capacity);
  const auto start = (total - size) % TeeTail::capacity;
  const auto first = std::min<std::uint64_t>(size, TeeTail::capacity - start);
  TextRecord out(arena, "stderr_tail");
  out.bytes({tail->ring + start, first});
  out.bytes({tail->ring, size - first});
}

}  // namespace sigwhy::capture
