// What this process may use, as far as files of the kernel say; read once, at the start.
#pragma once
#include "guard/raw.h"

namespace sigwhy::guard {

// The machine's memory, or the control group's limit where that is lower.
u64 memory_limit_bytes();
u64 address_limit_bytes();  // RLIMIT_AS; all ones: there is none
u64 max_map_count();

// Up to `room` bytes of a small file, ended by a zero; false if it cannot be read.
bool read_small_file(const char* path, char* text, u64 room);

}  // namespace sigwhy::guard
