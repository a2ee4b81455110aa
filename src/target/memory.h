// Foreign memory through one function. A live process, an ELF core, a grabbed arena and a test's byte map all
// answer it; nothing above can tell which. The bytes are hostile: they may change, lie or be missing.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "base/address.h"

namespace sigwhy {

class Memory {
 public:
  virtual ~Memory() = default;

  // Copies what is readable from `from` on, without a hole; returns how many bytes that was.
  virtual std::size_t read(Address from, std::span<std::byte> into) const = 0;

  // Several pieces, `into[i].size()` bytes at `from[i]` each; `whole[i]` says whether all of them could be read. For a
  // process this is one system call instead of many.
  virtual void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                           std::span<bool> whole) const {
    for (std::size_t i = 0; i < from.size(); ++i) whole[i] = read(from[i], into[i]) == into[i].size();
  }

  template <class T>
  std::optional<T> read_value(Address from) const {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    if (read(from, std::as_writable_bytes(std::span(&value, 1))) != sizeof(T)) return std::nullopt;
    return value;
  }

  // A C string of at most `most` bytes; absent where its first byte cannot be read or no end is found.
  std::optional<std::string> read_string(Address from, std::size_t most = 512) const {
    std::string text(most, '\0');
    text.resize(read(from, std::as_writable_bytes(std::span(text.data(), most))));
    const auto end = text.find('\0');
    if (end == std::string::npos) return std::nullopt;
    text.resize(end);
    return text;
  }
};

}  // namespace sigwhy
