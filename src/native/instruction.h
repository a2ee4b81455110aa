// The instruction at which a thread died: decoded, its operands computed from the registers, and judged against
// what the kernel said. Traps of x86-64 that are handled here and nowhere else: a non-canonical address arrives as
// si_addr 0 (SI_KERNEL), so it is computed; push and call write below the stack pointer they show; int3 leaves the
// instruction pointer behind itself; a jump to nowhere faults at its target and leaves no instruction to read.
#pragma once
#include <optional>
#include <span>

#include "evidence/process.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

// Nothing where the signal was not raised by an instruction (kill, abort) or no registers are known.
std::optional<Fault> fault_of(const Target& target, const Host& host);

// `code` starts at registers.rip. Nothing where the decoder knows no such instruction. Memory is asked for a
// division's operand only.
std::optional<Instruction> decode_instruction(std::span<const std::byte> code, const user_regs_struct& registers,
                                              const std::vector<std::string>& cpu_features, const Memory* memory);

}  // namespace sigwhy::native
