// Was a SIGKILL the kernel's, for memory? Judged by what the kernel counted and wrote, never by how large the process
// was. A counter that rose in the group says that somebody there was chosen; who it was the log says, or it follows
// because nobody else can have been.
#pragma once
#include <optional>
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

enum class Choice {
  certain,    // the kernel chose this process
  likely,     // somebody of its group was chosen, and no other that could have been is known
  suspected,  // nobody saw the end, but what there is points to it
  possible,   // somebody of its group was chosen, and others could have been
  another,    // the kernel chose, but not this process
  excluded,   // the kernel chose nobody
  unknown,    // nothing was to be read
};

struct MemoryKill {
  Choice choice = Choice::unknown;
  std::vector<Fact> facts;
  std::optional<std::size_t> log;    // index into choices: the line about this process, else about the other one
  std::optional<std::size_t> group;  // whose limit was met; absent: none that is to be seen
  bool lost = false;                 // nobody saw the end
  bool machine = false;              // it was the machine that had no memory left
};

// Absent: it was not killed by SIGKILL.
std::optional<MemoryKill> memory_kill(const Facts& facts);
// It was, for certain or very likely.
bool killed_for_memory(const Facts& facts);

// The same for a run that nobody saw end (TerminationKind::lost), by what was counted and written since its last reading;
// absent: it is none.
std::optional<MemoryKill> lost_kill(const Facts& facts);

// "the 64 MiB of control group /job_17", "the machine's 23.4 GiB".
std::string limit_text(const Facts& facts, const MemoryKill& kill);

}  // namespace sigwhy::diagnose
