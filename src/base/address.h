// An address in some other process. A type of its own so that it is never added to a length by accident
// or printed in decimal; in JSON it is a hex string, because JSON numbers lose bits above 2^53.
#pragma once
#include <compare>
#include <cstdint>

namespace sigwhy {

struct Address {
  std::uint64_t value = 0;

  auto operator<=>(const Address&) const = default;
  Address operator+(std::uint64_t bytes) const { return {value + bytes}; }
  Address operator-(std::uint64_t bytes) const { return {value - bytes}; }
  // Distance in bytes, negative when `other` lies above.
  std::int64_t operator-(Address other) const { return static_cast<std::int64_t>(value - other.value); }

  // x86-64 with four-level paging: bits 63..47 all equal, or the CPU faults without telling the address.
  bool canonical() const {
    const auto top = static_cast<std::int64_t>(value) >> 47;
    return top == 0 || top == -1;
  }
};

}  // namespace sigwhy
