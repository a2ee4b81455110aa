// Eight-byte words of foreign stacks through a window: an unwinder asks for thousands of words that lie close
// together, and each read of a living process is a system call.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "target/memory.h"

namespace sigwhy::native {

class StackWords {
 public:
  explicit StackWords(const Memory& memory) : memory_(memory) {}

  std::optional<std::uint64_t> at(Address a);
  // The last word that could not be read.
  std::optional<Address> failed() const { return failed_; }
  void forget_failure() { failed_.reset(); }
  // What was read so far is no longer what lies there.
  void forget() {
    window_.clear();
    failed_.reset();
  }

 private:
  bool load(Address a);

  const Memory& memory_;
  std::vector<std::byte> window_;
  Address window_start_;
  std::optional<Address> failed_;
};

}  // namespace sigwhy::native
