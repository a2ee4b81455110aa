// What memory says about arrays: the heap block that their data lies in, and the file behind a mapping.
#pragma once
#include <vector>

#include "evidence/python.h"
#include "target/target.h"

namespace sigwhy::native {

void add_array_memory(const Target& target, const std::vector<Region>& regions, std::vector<Array>& arrays);

}  // namespace sigwhy::native
