// What eats the memory, told while the process can still be read: two records in the arena, "residency" (mapping by
// mapping) and "census" (Python names and what they hold). The room behind them is borrowed meanwhile, so a census
// comes before the large copies of a grab. Allocates nothing, and opens nothing where it is given a descriptor.
#pragma once
#include <sys/types.h>

#include <optional>
#include <span>

#include "capture/glances.h"
#include "capture/map_table.h"
#include "python/interpreter.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

struct CensusJob {
  pid_t pid = 0;
  int smaps_fd = -1;  // opened in advance; -1: open now
  double seconds = 0.25;
};

void grab_census(const CensusJob& job, const Memory& memory, const MapTable& maps, ArenaWriter& arena);

struct LivingProcess {
  pid_t pid = 0;
  const Glances& glances;
  // Of the process it was forked from: its own files may not be in its memory.
  const std::optional<python::Interpreter>& interpreter;
};

// Only the Python names, of a process that runs on meanwhile: what is read may be torn, and is then left out. Opens its
// files under /proc, and touches no page that is not in memory: the group may be full. `scratch` as
// python::CensusRequest wants it, `into` of python::most_census_bytes; returns how many bytes of it were written, 0
// where there is no Python to be read. python/census_record.h says what they are.
std::size_t census_of_living(const LivingProcess& process, std::span<std::byte> scratch, std::span<std::byte> into,
                             double seconds);

}  // namespace sigwhy::capture
