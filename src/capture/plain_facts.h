// The report of last resort: what the supervisor itself knows, printed when the developing process died or hung.
#pragma once
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "capture/companion.h"

namespace sigwhy::capture {

void print_plain_facts(std::span<const std::byte> arena, const EndMessage& end);

// rsp of a stopped thread; 0 where it cannot be read.
std::uint64_t stack_pointer_of(pid_t tid);

}  // namespace sigwhy::capture
