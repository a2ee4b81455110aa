#include "capture/door.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include "capture/door_address.h"
#include "capture/quiet_timer.h"

namespace sigwhy::capture {

namespace {

constexpr int patience_ms = 100;

volatile sig_atomic_t knocked = 0;
volatile std::uint64_t knocker = 0;

void on_knock(int, siginfo_t* info, void*) {
  if (info->si_code != SI_QUEUE) return;
  knocker = reinterpret_cast<std::uint64_t>(info->si_value.sival_ptr);
  knocked = 1;
}

void set_mask(int how) {
  sigset_t knock;
  sigemptyset(&knock);
  sigaddset(&knock, SIGUSR2);
  sigaddset(&knock, quiet_signal());
  sigprocmask(how, &knock, nullptr);
}

// Only whom the kernel would let trace the program as well: its own user, and root.
bool may_see(int line) {
  ucred peer{};
  socklen_t size = sizeof peer;
  if (getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  return peer.uid == 0 || peer.uid == geteuid();
}

}  // namespace

void open_door() {
  set_mask(SIG_BLOCK);
  struct sigaction action {};
  action.sa_sigaction = on_knock;
  action.sa_flags = SA_SIGINFO;  // no SA_RESTART: it is there to wake us
  sigaction(SIGUSR2, &action, nullptr);
}

DoorAjar::DoorAjar() { set_mask(SIG_UNBLOCK); }
DoorAjar::~DoorAjar() { set_mask(SIG_BLOCK); }

Visitor answer_door() {
  if (!knocked) return {};
  knocked = 0;
  const OwnedFd low(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  Visitor visitor{.line = OwnedFd(low ? fcntl(low.get(), F_DUPFD_CLOEXEC, 10) : -1)};
  const auto address = door_address(knocker);
  const int line = visitor.line.get();
  if (line < 0 || ::connect(line, address.as_sockaddr(), address.size) != 0 || !may_see(line)) return {};
  pollfd question{.fd = line, .events = POLLIN, .revents = 0};
  std::int32_t pid = 0;
  if (::poll(&question, 1, patience_ms) != 1 || ::recv(line, &pid, sizeof pid, MSG_DONTWAIT) != sizeof pid) return {};
  visitor.wants = pid;
  return visitor;
}

void answer(const Visitor& visitor, const DoorAnswer& answer, int arena_fd) {
  iovec words{const_cast<DoorAnswer*>(&answer), sizeof answer};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &words;
  message.msg_iovlen = 1;
  if (arena_fd >= 0) {
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &arena_fd, sizeof arena_fd);
  }
  ::sendmsg(visitor.line.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace sigwhy::capture
