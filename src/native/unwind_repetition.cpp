#include "native/unwind_repetition.h"

#include <algorithm>

namespace sigwhy::native {

namespace {

constexpr std::uint64_t longest_period = 32;
constexpr std::uint64_t fewest_times = 8;
constexpr std::uint64_t fewest_worth_a_jump = 16;
constexpr std::uint64_t word_bytes = 8;

// The longest run of frames of which each equals the one `period` further on.
Repetition longest_run(std::span<const WalkedFrame> frames, std::uint64_t period) {
  Repetition best{.period = period};
  std::uint64_t best_equal = 0, equal = 0;
  for (std::uint64_t i = 0; i + period < frames.size(); ++i) {
    equal = frames[i].pc == frames[i + period].pc ? equal + 1 : 0;
    if (equal <= best_equal) continue;
    best_equal = equal;
    best.first = i + 1 - equal;
  }
  best.times = best_equal < period ? 0 : best_equal / period + 1;
  return best;
}

// The return address of a frame lies right below its own stack; one repetition further out it is the same number.
enum class Match { yes, no, unreadable };
Match repeats_at(std::span<const WalkedFrame> period, std::uint64_t distance, StackWords& words) {
  for (const auto& frame : period) {
    const auto word = words.at(frame.registers.sp() - word_bytes + distance);
    if (!word) return Match::unreadable;
    if (*word != frame.pc.value + 1) return Match::no;
  }
  return Match::yes;
}

// Registers move by one repetition's bytes (they point into the stack) or not at all; others are restored by
// unwinding the last repetitions.
UnwindRegisters moved(const UnwindRegisters& now, const UnwindRegisters& one_before, std::uint64_t bytes,
                      std::uint64_t times) {
  auto result = now;
  for (std::size_t i = 0; i < UnwindRegisters::count; ++i)
    if (now.values[i] - one_before.values[i] == bytes) result.values[i] += bytes * times;
  return result;
}

struct Reach {
  std::uint64_t repetitions = 0;
  bool all_seen = true;
};

// How many repetitions follow. Where the copy of the stack has a hole, what lies behind the hole decides.
Reach reach_of(std::span<const WalkedFrame> period, std::uint64_t bytes, StackWords& words, Address high) {
  const auto top = period.front().registers.sp();
  const auto most = high > top ? (high.value - top.value) / bytes : 0;
  std::uint64_t seen = 0;
  auto match = Match::no;
  while (seen < most && (match = repeats_at(period, (seen + 1) * bytes, words)) == Match::yes) ++seen;
  if (match != Match::unreadable) return {seen, true};
  for (auto last = most; last > seen + 1; --last) {
    match = repeats_at(period, last * bytes, words);
    if (match == Match::unreadable) break;
    if (match == Match::yes) return {last, false};
  }
  return {seen, true};
}

}  // namespace

std::optional<Repetition> find_repetition(std::span<const WalkedFrame> frames) {
  std::optional<Repetition> best;
  for (std::uint64_t period = 1; period <= longest_period; ++period) {
    const auto run = longest_run(frames, period);
    if (run.times < fewest_times) continue;
    if (!best || run.times * run.period > best->times * best->period) best = run;
  }
  return best;
}

std::optional<std::uint64_t> bytes_per_repetition(std::span<const WalkedFrame> frames, const Repetition& run) {
  const auto end = run.first + run.period * run.times;
  if (run.times < 2 || end > frames.size()) return std::nullopt;
  // the very first frame may be in mid-prologue, with a stack pointer that is still on its way
  const auto from = run.first + run.period;
  if (from + run.period >= end) return std::nullopt;
  const auto bytes = frames[from + run.period].registers.sp().value - frames[from].registers.sp().value;
  for (auto i = from; i + run.period < end; ++i)
    if (frames[i + run.period].registers.sp().value - frames[i].registers.sp().value != bytes) return std::nullopt;
  return bytes > 0 && bytes < (1u << 30) ? std::optional(bytes) : std::nullopt;
}

std::optional<Jump> jump_over_repetitions(std::span<const WalkedFrame> frames, StackWords& words, Address stack_high) {
  const auto run = find_repetition(frames);
  if (!run || run->first + run->times * run->period + run->period <= frames.size()) return std::nullopt;
  const auto bytes = bytes_per_repetition(frames, *run);
  if (!bytes) return std::nullopt;
  const auto period = frames.last(run->period);
  const auto reach = reach_of(period, *bytes, words, stack_high);
  if (reach.repetitions < fewest_worth_a_jump) return std::nullopt;
  // the last two are unwound, which restores the registers that the recursion's start had
  const auto times = reach.repetitions - 2;
  const auto& now = frames.back().registers;
  const auto& before = frames[frames.size() - 1 - run->period].registers;
  auto registers = moved(now, before, *bytes, times);
  registers.values[UnwindRegisters::rip] = frames.back().pc.value;
  return Jump{registers, times, *bytes, reach.all_seen};
}

}  // namespace sigwhy::native
