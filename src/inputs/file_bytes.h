// A file's bytes, read by position: never mapped, since a file that is cut meanwhile would kill the reader.
#pragma once
#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/owned_fd.h"
#include "base/result.h"

namespace sigwhy::inputs {

inline constexpr std::uint64_t longest_buffer = 64 << 20;

class FileBytes {
 public:
  static Result<FileBytes> open(const std::string& path);
  // A file in memory, without a name that others could see.
  static Result<FileBytes> of(std::string_view bytes);

  const std::string& path() const { return path_; }
  std::uint64_t bytes() const { return bytes_; }
  // How many could be read: fewer than asked for at the end of the file, or where it was cut meanwhile.
  std::uint64_t read(std::uint64_t offset, std::span<char> into) const;
  // At most `bytes`, never more than longest_buffer.
  std::string text(std::uint64_t offset, std::uint64_t bytes) const;
  // From now on the end of what was read last is kept there, for who asks how far a walk came.
  void tell(std::atomic<std::uint64_t>* reached) { reached_ = reached; }

 private:
  FileBytes(OwnedFd fd, std::string path, std::uint64_t bytes);
  OwnedFd fd_;
  std::string path_;
  std::uint64_t bytes_;
  std::atomic<std::uint64_t>* reached_ = nullptr;
};

}  // namespace sigwhy::inputs
