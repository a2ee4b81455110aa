#include "target/live.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/uio.h>

#include <cstdio>

namespace sigwhy {

std::size_t LiveMemory::read(Address from, std::span<std::byte> into) const {
  if (call_refused_) return read_by_file(from, into);
  // A multi-page read that meets a hole stops there and says how far it came, at page granularity.
  iovec local{into.data(), into.size()};
  iovec remote{reinterpret_cast<void*>(from.value), into.size()};
  const auto got = process_vm_readv(pid_, &local, 1, &remote, 1, 0);
  if (got >= 0) return static_cast<std::size_t>(got);
  if (errno != EPERM && errno != ENOSYS) return 0;
  call_refused_ = true;
  return read_by_file(from, into);
}

std::size_t LiveMemory::read_by_file(Address from, std::span<std::byte> into) const {
  if (!file_) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/%d/mem", pid_);
    file_ = OwnedFd(::open(path, O_RDONLY | O_CLOEXEC));
  }
  const auto got = ::pread(file_.get(), into.data(), into.size(), static_cast<off_t>(from.value));
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

}  // namespace sigwhy
