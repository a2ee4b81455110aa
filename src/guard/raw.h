// The kernel without the C library: no errno is touched, nothing is allocated, nothing is locked that a signal handler
// or a forked child could find locked. The guard runs inside malloc, where all of that matters.
#pragma once
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace sigwhy::guard {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

inline constexpr u64 page_bytes = 4096;
constexpr u64 round_down(u64 value, u64 power) { return value & ~(power - 1); }
constexpr u64 round_up(u64 value, u64 power) { return round_down(value + power - 1, power); }

inline long raw_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

inline bool failed(long result) { return result < 0 && result > -4096; }

// 0: refused.
inline u64 map_pages(u64 at, u64 bytes, int protection, int flags = 0) {
  const long result = raw_call(SYS_mmap, static_cast<long>(at), static_cast<long>(bytes), protection,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return failed(result) ? 0 : static_cast<u64>(result);
}

inline bool protect_pages(u64 at, u64 bytes, int protection) {
  return raw_call(SYS_mprotect, static_cast<long>(at), static_cast<long>(bytes), protection) == 0;
}

inline bool advise_pages(u64 at, u64 bytes, int advice) {
  return raw_call(SYS_madvise, static_cast<long>(at), static_cast<long>(bytes), advice) == 0;
}

// For tables of the guard's own: large, mostly empty, and nothing for the program's core file.
inline u64 map_table(u64 bytes) {
  const u64 at = map_pages(0, bytes, PROT_READ | PROT_WRITE);
  if (at) advise_pages(at, bytes, MADV_DONTDUMP);
  return at;
}

// The kernel copies the signal set before it looks at `how`: EFAULT or EINVAL, and no effect either way.
inline bool is_readable(u64 address) {
  constexpr long no_such_how = -1, efault = -14;
  return raw_call(SYS_rt_sigprocmask, no_such_how, static_cast<long>(address & ~u64{7}), 0, 8) != efault;
}

inline u32 raw_pid() { return static_cast<u32>(raw_call(SYS_getpid)); }
inline u32 raw_tid() { return static_cast<u32>(raw_call(SYS_gettid)); }

u64 monotonic_ns();

// Three states: free, held, held with somebody waiting. Never held across a call into the program.
class Lock {
 public:
  void lock() {
    u32 free = 0;
    if (!word_.compare_exchange_strong(free, 1, std::memory_order_acquire)) wait();
  }
  void unlock() {
    if (word_.exchange(0, std::memory_order_release) == 2)
      raw_call(SYS_futex, reinterpret_cast<long>(&word_), FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1);
  }
  void reset() { word_.store(0, std::memory_order_relaxed); }

 private:
  void wait();
  std::atomic<u32> word_{0};
};

class Locked {
 public:
  explicit Locked(Lock& lock) : lock_(lock) { lock_.lock(); }
  ~Locked() { lock_.unlock(); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  Lock& lock_;
};

}  // namespace sigwhy::guard
