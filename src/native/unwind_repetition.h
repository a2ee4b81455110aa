// A stack overflow is tens of thousands of frames that repeat. Two things are done about it: the walk jumps over
// repetitions of one size (checking the return addresses on the stack instead of unwinding each frame), and what
// repeats is folded to its first occurrence.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "evidence/thread.h"
#include "native/stack_words.h"
#include "native/unwind_registers.h"

namespace sigwhy::native {

// A frame as the walk found it, before it has names.
struct WalkedFrame {
  UnwindRegisters registers;
  Address pc;
  Trust trust = Trust::scan;
  bool signal_frame = false;
};

// The run of repeating frames that covers most of `frames`; at least eight times a period of at most 32.
std::optional<Repetition> find_repetition(std::span<const WalkedFrame> frames);

// Bytes of stack that one repetition takes, if all take the same.
std::optional<std::uint64_t> bytes_per_repetition(std::span<const WalkedFrame> frames, const Repetition& run);

struct Jump {
  UnwindRegisters registers;      // of the last frame again, `repetitions` further out
  std::uint64_t repetitions = 0;  // jumped over
  std::uint64_t bytes = 0;        // of stack that one takes
  bool all_seen = false;          // each one's return addresses were there
};

// If `frames` ends in a run of repetitions of one size: how far out they go on. Nothing where it is not worth it.
std::optional<Jump> jump_over_repetitions(std::span<const WalkedFrame> frames, StackWords& words, Address stack_high);

}  // namespace sigwhy::native
