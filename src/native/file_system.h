// The file system that an open file lies on: its kind, its size and what is left of it.
#pragma once
#include <optional>
#include <string>

#include "evidence/memory.h"

namespace sigwhy::native {

// By the number that statfs(2) gives; one that is not known stays a number.
std::string file_system_name(unsigned long magic);
std::optional<FileSystem> file_system_of(int fd);

}  // namespace sigwhy::native
