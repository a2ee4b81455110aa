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

// The call ends at the first piece that cannot be read; the rest is asked for again.
void LiveMemory::read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                             std::span<bool> whole) const {
  constexpr std::size_t most = 64;
  for (std::size_t done = 0; done < from.size();) {
    const auto count = std::min(most, from.size() - done);
    iovec local[most], remote[most];
    for (std::size_t i = 0; i < count; ++i) {
      local[i] = {into[done + i].data(), into[done + i].size()};
      remote[i] = {reinterpret_cast<void*>(from[done + i].value), into[done + i].size()};
    }
    auto got = call_refused_ ? -1 : process_vm_readv(pid_, local, count, remote, count, 0);
    if (call_refused_ || (got < 0 && (errno == EPERM || errno == ENOSYS)))
      return Memory::read_pieces(from.subspan(done), into.subspan(done), whole.subspan(done));
    std::size_t read_whole = 0;
    for (; read_whole < count && got >= static_cast<ssize_t>(into[done + read_whole].size()); ++read_whole) {
      whole[done + read_whole] = true;
      got -= static_cast<ssize_t>(into[done + read_whole].size());
    }
    done += read_whole;
    if (read_whole < count) whole[done++] = false;
  }
}

std::size_t LiveMemory::read_by_file(Address from, std::span<std::byte> into) const {
  if (opened_ < 0 && !file_) {
    char path[32];
    std::snprintf(path, sizeof path, "/proc/%d/mem", pid_);
    file_ = OwnedFd(::open(path, O_RDONLY | O_CLOEXEC));
  }
  const auto got = ::pread(opened_ < 0 ? file_.get() : opened_, into.data(), into.size(), static_cast<off_t>(from.value));
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

}  // namespace sigwhy
