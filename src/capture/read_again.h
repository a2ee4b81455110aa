// Files of the kernel that are opened and read once in advance, and read again when it matters: then neither the
// descriptor nor the kernel's buffer behind it needs memory. One buffer for all: the supervisor does one thing at a
// time. And a record of text that grows line by line, straight in the arena.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/owned_fd.h"
#include "target/arena.h"

namespace sigwhy::capture {

inline constexpr std::size_t read_again_bytes = 16u << 10;

// A descriptor to keep: above the standard ones, and not where so few are allowed that none would be left for a report.
OwnedFd to_keep(OwnedFd low);
// Opens above the standard descriptors and reads it once; no descriptor where it cannot be read.
OwnedFd open_again(const std::string& path);
// From its start; valid until the next call. Empty where it cannot be read (any more).
std::string_view read_again(int fd);
// The same for a text that surely comes in one part: half the price, and the sampler does it ten times a second.
std::string_view read_short_again(const OwnedFd& fd);

class TextRecord {
 public:
  // At most so many bytes.
  TextRecord(ArenaWriter& arena, const char* name, std::size_t most = 256u << 10);
  ~TextRecord();
  TextRecord(const TextRecord&) = delete;

  [[gnu::format(printf, 2, 3)]] void line(const char* format, ...);
  void bytes(std::string_view text);

 private:
  ArenaWriter& arena_;
  char* text_ = nullptr;
  std::size_t room_ = 0;
  std::size_t size_ = 0;
};

}  // namespace sigwhy::capture
