// An ELF core file as a Target: what the kernel (or gcore) wrote of a dead process. Registers and the signal come
// from its notes, memory from its segments; pages of mapped files are usually left out and are read from the files.
#pragma once
#include <string>

#include "base/result.h"
#include "target/target.h"

namespace sigwhy {

bool is_core(const std::string& path);
Result<Target> target_from_core(const std::string& path);

}  // namespace sigwhy
