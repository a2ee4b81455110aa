// Names for the frames of all threads, module by module: one pass over each file's symbol table for all addresses
// in it. Also says of each module that occurs in a stack which build it is and whether its file was replaced.
#pragma once
#include <vector>

#include "evidence/gap.h"
#include "evidence/memory.h"
#include "evidence/thread.h"
#include "native/elf_file.h"
#include "target/target.h"

namespace sigwhy::native {

void name_frames(const Target& target, std::vector<Module>& modules, std::vector<Thread>& threads,
                 std::vector<Gap>& gaps);

// The C++ name if it is one, else the name itself.
std::string demangled(const std::string& name);

// The separate debug file that distributions install by build-id, if it is there.
std::optional<ElfFile> open_debug_file(const Target& target, const std::string& build_id);
std::string debug_file_path(const std::string& build_id);

}  // namespace sigwhy::native
