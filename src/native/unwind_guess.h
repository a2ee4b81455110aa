// Finding a caller where no table tells it. In order of trust: the word at the stack pointer, when the thread
// jumped into something that is no code (the call pushed it a moment ago); the frame pointer chain; and at last
// the nearest words on the stack that point right behind a call instruction.
#pragma once
#include <optional>

#include "evidence/thread.h"
#include "native/stack_words.h"
#include "native/unwind_registers.h"
#include "target/target.h"

namespace sigwhy::native {

// How the caller stood: its rip is the call, the byte before the return address.
struct GuessedCaller {
  UnwindRegisters registers;
  Trust trust = Trust::scan;
};

class CallerGuess {
 public:
  CallerGuess(const Target& target, const Memory& code, StackWords& words)
      : target_(target), code_(code), words_(words) {}

  std::optional<GuessedCaller> by_return_slot(const UnwindRegisters& from) const;
  // A function that has not (or never) set up its frame: the word at the stack pointer, if it lies behind a direct
  // call to where the thread stands now.
  std::optional<GuessedCaller> by_call_to(Address pc, const UnwindRegisters& from) const;
  std::optional<GuessedCaller> by_frame_pointer(const UnwindRegisters& from, Address stack_high) const;
  std::optional<GuessedCaller> by_scan(const UnwindRegisters& from, Address stack_high) const;

 private:
  // The caller whose return address lies at `slot`.
  GuessedCaller caller(const UnwindRegisters& from, Address slot, std::uint64_t return_address, Trust trust) const;

  const Target& target_;
  const Memory& code_;
  StackWords& words_;
};

}  // namespace sigwhy::native
