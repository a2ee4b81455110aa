// Where a pointer that is no pointer was read from. glibc keeps a link in the first word of a freed small block; a
// program that still reads the block, or got it again and never filled it, takes the link for a pointer of its own.
// The value alone cannot tell the two apart. The block that holds it can.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

// The block within the dying thread's reach whose first word is `value`, a link by its form; role "read from".
// Absent where none is seen, or where freed blocks and blocks in use hold the same word.
std::optional<Pointer> link_holder(const Target& target, std::uint64_t value);

// The same for the mark that malloc writes into the second word: a freed block that a register points to. A walk over the
// end of something else reads marks too, and has no register there.
std::optional<Pointer> mark_holder(const Target& target, std::uint64_t value);

// The block that the code right before the fault read it from, whatever it is: `name` is the register that holds it.
std::optional<Pointer> loaded_holder(const Target& target, const Frame& innermost, const std::string& name, std::uint64_t value);

}  // namespace sigwhy::native
