// Where the value in a register was read from: the last load into it in the code right before the instruction. A
// pointer or an index that is wrong was mostly right when it was written, or never written: the place tells whose it is.
#pragma once
#include <optional>
#include <string>

#include "evidence/thread.h"
#include "native/unwind_registers.h"
#include "target/target.h"

namespace sigwhy::native {

// `innermost`: the dying thread's first frame, with its symbol's offset. Nothing where the code is not a straight line
// from the load to the instruction, or the registers of the load have changed since.
std::optional<Address> loaded_from(const Target& target, const Frame& innermost, const std::string& register_name);

// What the call that `caller` is in was given as its first argument: set in the code right before it, from registers
// and variables that are as they were then. `there`: the registers behind the call, as the tables restore them.
std::optional<std::uint64_t> first_argument(const Target& target, const Frame& caller, const UnwindRegisters& there);

}  // namespace sigwhy::native
