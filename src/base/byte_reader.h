// Reads little-endian fields out of bytes that may lie. A read past the end gives zero and makes failed()
// true for good, so a parser stays linear and checks once at its end.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>

namespace sigwhy {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <class T>
  T read() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value{};
    const auto from = take(sizeof(T));
    if (!failed_) std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }

  std::span<const std::byte> take(std::size_t size) {
    if (failed_ || size > bytes_.size() - position_) {
      failed_ = true;
      return {};
    }
    const auto part = bytes_.subspan(position_, size);
    position_ += size;
    return part;
  }

  std::string_view take_text(std::size_t size) {
    const auto part = take(size);
    return {reinterpret_cast<const char*>(part.data()), part.size()};
  }

  void seek(std::size_t position) {
    if (position > bytes_.size()) failed_ = true;
    else position_ = position;
  }

  std::size_t position() const { return position_; }
  std::size_t left() const { return failed_ ? 0 : bytes_.size() - position_; }
  bool failed() const { return failed_; }

 private:
  std::span<const std::byte> bytes_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

}  // namespace sigwhy
