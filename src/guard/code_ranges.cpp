#include "guard/code_ranges.h"

#include <fcntl.h>
#include <sys/auxv.h>

#include <atomic>

#include "guard/state.h"

namespace sigwhy::guard {

namespace {

// Two, so that a reader of the one is not disturbed while the other is written. A reader that sleeps through two
// readings sees a mixture: a context is then kept twice, no more.
CodeRanges generations[2];
std::atomic<u32> current{0};
std::atomic<u32> reading{0};
std::atomic<bool> loader_was_busy{false};
u64 next_reading_ns;

// "7f..-7f.. r-xp offset device inode path": only the first two words matter.
class MapsLines {
 public:
  explicit MapsLines(CodeRanges& into) : into_(into) {}

  void take(const char* text, u64 bytes) {
    for (u64 i = 0; i < bytes; ++i) take(text[i]);
  }

 private:
  void take(char c) {
    if (c == '\n') {
      if (flags_seen_ >= 3 && executable_ && into_.count < CodeRanges::most) add();
      start_ = end_ = 0;
      field_ = flags_seen_ = 0;
      executable_ = false;
    } else if (field_ < 3 && (c == '-' || c == ' ') && !(field_ == 2 && c == '-')) {
      ++field_;
    } else if (field_ == 2) {
      if (flags_seen_++ == 2) executable_ = c == 'x';
    } else if (field_ < 2) {
      u64& value = field_ == 0 ? start_ : end_;
      value = value << 4 | static_cast<u64>(c <= '9' ? c - '0' : c - 'a' + 10);
    } 
  }

  void add() {
    if (into_.count && into_.ranges[into_.count - 1].end == start_) into_.ranges[into_.count - 1].end = end_;
    else into_.ranges[into_.count++] = {.start = start_, .end = end_};
  }

  CodeRanges& into_;
  u64 start_ = 0, end_ = 0;
  int field_ = 0, flags_seen_ = 0;
  bool executable_ = false;
};

void read_maps(CodeRanges& ranges) {
  static char buffer[16 << 10];
  ranges.count = 0;
  const long file = raw_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>("/proc/self/maps"), O_RDONLY | O_CLOEXEC);
  if (failed(file)) return;
  MapsLines lines(ranges);
  for (;;) {
    const long got = raw_call(SYS_read, file, reinterpret_cast<long>(buffer), sizeof buffer);
    if (got <= 0) break;
    lines.take(buffer, static_cast<u64>(got));
  }
  raw_call(SYS_close, file);
  // vsyscall, the last, lies alone in the upper half.
  while (ranges.count && ranges.ranges[ranges.count - 1].start >> 47) --ranges.count;
  ranges.lowest = ranges.count ? ranges.ranges[0].start : 0;
  ranges.highest = ranges.count ? ranges.ranges[ranges.count - 1].end : 0;
}

void read_again() {
  u32 idle = 0;
  if (!reading.compare_exchange_strong(idle, 1, std::memory_order_acquire)) return;
  const u64 began_ns = monotonic_ns();
  if (began_ns >= next_reading_ns) {
    loader_was_busy.store(false, std::memory_order_relaxed);
    const u32 other = 1 - current.load(std::memory_order_relaxed);
    read_maps(generations[other]);
    current.store(other, std::memory_order_release);
    // At most a fiftieth of the time goes into this.
    const u64 ended_ns = monotonic_ns();
    next_reading_ns = ended_ns + (ended_ns - began_ns) * 50;
  }
  reading.store(0, std::memory_order_release);
}

bool is_loader(u64 pc) {
  static const u64 base = getauxval(AT_BASE);
  constexpr u64 more_than_its_code = 512 << 10;
  return base && pc - base < more_than_its_code;
}

}  // namespace

bool is_same_library(u64 a, u64 b) {
  const CodeRanges& code = code_ranges(b);
  const u32 range = code.range_of(a);
  return range < code.count && range == code.range_of(b);
}

void give_up_reading() { reading.store(0, std::memory_order_release); }

const CodeRanges& code_ranges(u64 caller_pc) {
  if (is_loader(caller_pc)) loader_was_busy.store(true, std::memory_order_relaxed);
  else if (loader_was_busy.load(std::memory_order_relaxed) ||
           !generations[current.load(std::memory_order_acquire)].holds(caller_pc))
    read_again();
  return generations[current.load(std::memory_order_acquire)];
}

}  // namespace sigwhy::guard
