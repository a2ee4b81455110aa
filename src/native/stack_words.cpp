#include "native/stack_words.h"

#include <cstring>

namespace sigwhy::native {

namespace {
constexpr std::size_t window_bytes = 64 << 10;
// A stack is walked upwards, but a caller's frame may be asked for words a little below the last one.
constexpr std::uint64_t below_bytes = 256;
}  // namespace

bool StackWords::load(Address a) {
  for (const auto start : {Address{a.value - std::min(a.value, below_bytes)}, a}) {
    window_.resize(window_bytes);
    window_start_ = start;
    window_.resize(memory_.read(start, window_));
    if (start + window_.size() >= a + sizeof(std::uint64_t)) return true;
  }
  return false;
}

std::optional<std::uint64_t> StackWords::at(Address a) {
  const bool inside = a >= window_start_ && a.value - window_start_.value + sizeof(std::uint64_t) <= window_.size();
  if (!inside && !load(a)) {
    failed_ = a;
    window_.clear();
    return std::nullopt;
  }
  std::uint64_t word;
  std::memcpy(&word, window_.data() + (a.value - window_start_.value), sizeof word);
  return word;
}

}  // namespace sigwhy::native
