#include "capture/knock.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <string>

#include "capture/clock.h"
#include "capture/door.h"
#include "capture/door_address.h"

namespace sigwhy::capture {

namespace {

// A supervisor that is busy with a death answers when it is done with that.
constexpr double patience_s = 3;
constexpr int knock_again_ms = 20;

Error out_of_reach(pid_t pid, std::string cause, std::string remedy = {}) {
  return {"cannot look into process " + std::to_string(pid), std::move(cause), std::move(remedy)};
}

// The signal may arrive while the supervisor is at work, where it is not seen: it is sent until it was.
OwnedFd called_back(int listener, pid_t supervisor, std::uint64_t number) {
  sigval value{};
  value.sival_ptr = reinterpret_cast<void*>(number);
  for (const double deadline = monotonic_s() + patience_s; monotonic_s() < deadline;) {
    if (sigqueue(supervisor, SIGUSR2, value) != 0 && errno != EAGAIN) return {};
    pollfd call{.fd = listener, .events = POLLIN, .revents = 0};
    if (::poll(&call, 1, knock_again_ms) != 1) continue;
    OwnedFd line(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
    ucred peer{};
    socklen_t size = sizeof peer;
    const bool known = line && getsockopt(line.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
    if (known && peer.pid == supervisor) return line;
  }
  errno = ETIMEDOUT;
  return {};
}

bool receive(int line, DoorAnswer& answer, OwnedFd& arena) {
  pollfd reply{.fd = line, .events = POLLIN, .revents = 0};
  if (::poll(&reply, 1, static_cast<int>(patience_s * 1e3)) != 1) return false;
  iovec words{&answer, sizeof answer};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &words;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  if (::recvmsg(line, &message, MSG_CMSG_CLOEXEC) != sizeof answer) return false;
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  int fd = -1;
  if (header && header->cmsg_type == SCM_RIGHTS) memcpy(&fd, CMSG_DATA(header), sizeof fd);
  arena = OwnedFd(fd);
  return true;
}

}  // namespace

Result<LivingArena> ask_supervisor(pid_t supervisor, pid_t pid) {
  std::uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = static_cast<std::uint64_t>(monotonic_s() * 1e9);
  const auto address = door_address(number);
  const OwnedFd listener(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (!listener || ::bind(listener.get(), address.as_sockaddr(), address.size) != 0 || ::listen(listener.get(), 4) != 0)
    return std::unexpected(errno_error("cannot make a socket", errno));
  const OwnedFd line = called_back(listener.get(), supervisor, number);
  if (!line && errno == EPERM)
    return std::unexpected(out_of_reach(pid, "it is supervised by another user's sigwhy", "call sigwhy attach as that user or as root"));
  if (!line)
    return std::unexpected(out_of_reach(pid, "its supervisor (process " + std::to_string(supervisor) + ") does not answer",
                                        "sigwhy release " + std::to_string(pid) + ", then look again"));
  const std::int32_t wanted = pid;
  DoorAnswer answer;
  OwnedFd arena;
  if (::send(line.get(), &wanted, sizeof wanted, MSG_NOSIGNAL) != sizeof wanted || !receive(line.get(), answer, arena))
    return std::unexpected(out_of_reach(pid, "its supervisor broke off"));
  if (answer.error == EBUSY) return std::unexpected(out_of_reach(pid, "it is dying; its report is being made"));
  if (answer.error || !arena) return std::unexpected(out_of_reach(pid, strerror(answer.error ? answer.error : EIO)));
  return LivingArena{std::move(arena), answer.stopped_ms};
}

}  // namespace sigwhy::capture
