// One module's share of the work: which addresses of which file. Jobs are prepared by the parent, done in the child,
// and answered over a pipe, each answer by itself so that none is lost when the child ends early.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "native/elf_file.h"
#include "native/lines_dwarf.h"

namespace sigwhy::native {

struct LineJob {
  std::uint64_t module = 0;
  std::string build_id;
  std::optional<ElfFile> file;   // the one with the debug information; absent: ask debuginfod
  std::uint64_t cost_bytes = 0;  // of debug information
  bool dying = false;            // has frames of the thread that died
  std::vector<std::pair<Address, std::uint64_t>> addresses;  // pc, and the same in the file
};

// In the child. Jobs in order, answers to `out`.
void do_jobs(const std::vector<LineJob>& jobs, int out);

// In the parent: the answers as far as they came, and the job that was being done at the end.
struct LineAnswers {
  std::map<Address, LineAnswer> by_pc;
  std::optional<std::size_t> last_job;
};
LineAnswers parse_answers(std::string_view bytes);

}  // namespace sigwhy::native
