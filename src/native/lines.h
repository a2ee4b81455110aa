// Source lines and inlined calls, where debug information exists: in the file itself, in a separate file by
// build-id, or at a debuginfod server if the user names one (DEBUGINFOD_URLS). Done in a child and under a time
// limit, because a big or damaged DWARF must cost neither the report nor the reader's patience.
#pragma once
#include <chrono>
#include <vector>

#include "evidence/gap.h"
#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

void add_lines(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
               std::vector<Gap>& gaps);

struct LineOptions {
  std::chrono::milliseconds budget{40};            // for libraries and interpreters
  std::chrono::milliseconds own_code_budget{400};  // for the user's own program and libraries, which matter most
  bool ask_debuginfod = false;
};
void add_lines(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
               std::vector<Gap>& gaps, const LineOptions& options);

}  // namespace sigwhy::native
