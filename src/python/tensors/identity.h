// Which build of a library is loaded: its build-id, read from its notes in memory. TensorFlow's current wheels have
// none; for those a fingerprint of bytes that are mapped and never written to: the first page, and the beginnings
// of the tables of exported names. Written as text, "build-id:acab44…" or "fingerprint:414d20893b925afd", the same
// as probe/identity.py writes it, and compared by its hash.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "target/memory.h"

namespace sigwhy::python {

// FNV-1a.
constexpr std::uint64_t hashed(std::uint64_t value, unsigned char byte) { return (value ^ byte) * 0x100000001b3; }
inline constexpr std::uint64_t hash_seed = 0xcbf29ce484222325;

constexpr std::uint64_t identity_hash(std::string_view text) {
  std::uint64_t value = hash_seed;
  for (const char c : text) value = hashed(value, static_cast<unsigned char>(c));
  return value;
}

// `base` is the address at which the file's first bytes are mapped. Allocates nothing.
std::optional<std::uint64_t> identity_of(const Memory& memory, Address base);

}  // namespace sigwhy::python
