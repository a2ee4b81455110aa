// Where a loaded file comes from, read off its path: the program, an interpreter, a Python package, the system.
#pragma once
#include <string_view>

#include "evidence/memory.h"

namespace sigwhy::native {

std::string_view base_name(std::string_view path);

void set_origin(Module& module, std::string_view executable);

}  // namespace sigwhy::native
