// The abstract socket on which an asker waits for the supervisor: named by a number that nobody can guess.
#pragma once
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace sigwhy::capture {

struct DoorAddress {
  sockaddr_un address{};
  socklen_t size = 0;
  const sockaddr* as_sockaddr() const { return reinterpret_cast<const sockaddr*>(&address); }
};

inline DoorAddress door_address(std::uint64_t number) {
  DoorAddress door;
  door.address.sun_family = AF_UNIX;
  const int length = std::snprintf(door.address.sun_path + 1, sizeof door.address.sun_path - 1, "sigwhy-%016lx",
                                   static_cast<unsigned long>(number));
  door.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(length));
  return door;
}

}  // namespace sigwhy::capture
