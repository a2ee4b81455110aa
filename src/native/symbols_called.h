// The name a function was called by, where it has none of its own: distributions strip libc's local names, so the
// memcpy for this processor (__memmove_avx_unaligned_erms) is nameless in its own file, but the caller's file still
// says that it calls "memcpy" here: call -> jump table -> slot -> relocation -> symbol.
#pragma once
#include <optional>
#include <string>

#include "evidence/memory.h"
#include "native/elf_file.h"
#include "target/target.h"

namespace sigwhy::native {

// `code` reads the target's code; `module` and `elf` are the caller's.
std::optional<std::string> called_as(const Target& target, const Memory& code, const Module& module, const ElfFile& elf,
                                     Address return_address);

}  // namespace sigwhy::native
