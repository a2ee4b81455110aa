// Is this number on the stack a return address? Only if it points into code, right behind a call instruction.
// That alone tells real callers from stale words when the stack can no longer be unwound.
#pragma once
#include <optional>

#include "native/file_backed_memory.h"
#include "target/target.h"

namespace sigwhy::native {

bool is_executable(const Target& target, Address a);

// Whether `code` can end with a call instruction.
bool ends_with_call(std::span<const std::byte> code);

// Nothing where the code before it cannot be read.
std::optional<bool> is_return_address(const Target& target, const Memory& code, Address a);

}  // namespace sigwhy::native
