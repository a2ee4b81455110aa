#include "guard/raw.h"

#include <time.h>

#include "guard/state.h"

namespace sigwhy::guard {

u64 monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<u64>(now.tv_sec) * 1'000'000'000 + static_cast<u64>(now.tv_nsec);
}

// A child made by the bare system call, without the handlers of fork, inherits locks whose holders it does not have.
// It is known by its pid; it has one thread, so taking them all over is safe.
void Lock::wait() {
  constexpr int spins = 100;
  for (int i = 0; i < spins; ++i) {
    u32 free = 0;
    if (word_.load(std::memory_order_relaxed) == 0 && word_.compare_exchange_strong(free, 1, std::memory_order_acquire)) return;
    __builtin_ia32_pause();
  }
  const timespec patience{.tv_sec = 0, .tv_nsec = 50'000'000};
  constexpr int long_enough = 20;  // no holder takes that long; a child of vfork, whose memory is its parent's, waits
  for (int waits = 0; word_.exchange(2, std::memory_order_acquire) != 0; ++waits) {
    raw_call(SYS_futex, reinterpret_cast<long>(&word_), FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2, reinterpret_cast<long>(&patience));
    if (waits > long_enough && raw_pid() != header.pid) after_fork_in_child();
  }
}

}  // namespace sigwhy::guard
