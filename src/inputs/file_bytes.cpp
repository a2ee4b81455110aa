#include "inputs/file_bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace sigwhy::inputs {

FileBytes::FileBytes(OwnedFd fd, std::string path, std::uint64_t bytes)
    : fd_(std::move(fd)), path_(std::move(path)), bytes_(bytes) {}

Result<FileBytes> FileBytes::open(const std::string& path) {
  OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!fd || ::fstat(fd.get(), &status) != 0) return failure("cannot read " + path, std::strerror(errno), "");
  if (!S_ISREG(status.st_mode)) return failure("cannot read " + path, "it is not a regular file", "");
  return FileBytes(std::move(fd), path, static_cast<std::uint64_t>(status.st_size));
}

Result<FileBytes> FileBytes::of(std::string_view bytes) {
  OwnedFd fd(::memfd_create("bytes", MFD_CLOEXEC));
  if (!fd) return std::unexpected(errno_error("cannot keep bytes in memory", errno));
  for (std::size_t done = 0; done < bytes.size();) {
    const auto got = ::write(fd.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::unexpected(errno_error("cannot keep bytes in memory", errno));
    done += static_cast<std::size_t>(got);
  }
  auto path = "/proc/self/fd/" + std::to_string(fd.get());
  return FileBytes(std::move(fd), std::move(path), bytes.size());
}

std::uint64_t FileBytes::read(std::uint64_t offset, std::span<char> into) const {
  std::uint64_t done = 0;
  while (done < into.size()) {
    const auto got = ::pread(fd_.get(), into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<std::uint64_t>(got);
  }
  if (reached_) reached_->store(offset + done, std::memory_order_relaxed);
  return done;
}

std::string FileBytes::text(std::uint64_t offset, std::uint64_t bytes) const {
  const auto left = offset < bytes_ ? bytes_ - offset : 0;
  std::string buffer(std::min({bytes, left, longest_buffer}), '\0');
  buffer.resize(read(offset, buffer));
  return buffer;
}

}  // namespace sigwhy::inputs
