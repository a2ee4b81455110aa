// What is needed to say afterwards whether a process was killed for memory, and by whom if not: the counters of its
// control groups and of the machine, the kernel's log, the tracepoint. All opened while nothing happens; at a stop
// only read again. The counters as they were before are renewed at every quiet moment that offers itself.
#pragma once
#include <sys/types.h>

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "capture/kernel_log.h"
#include "capture/kill_witness.h"
#include "capture/machine_memory.h"
#include "capture/memory_groups.h"
#include "capture/run_table.h"

namespace sigwhy::capture {

// What the stop itself has to know of a SIGKILL; everything else is judged later.
struct Killing {
  // The kernel's log names it, or a kill was counted in its group for which nobody else has been found.
  bool for_memory = false;
  const SentSignal* sent = nullptr;   // by the tracepoint
  const SentSignal* asked = nullptr;  // SIGTERM before it, by the tracepoint
};

class MemoryWatch {
 public:
  // One more step of getting ready; false when there is nothing left to do.
  bool open_more();
  // The groups of a process, for moments in which opening harms nobody.
  void follow(std::string_view group_line);
  // The sampler reads the same counters far more often; `table` outlives this and may be null.
  void listen_to(const RunTable* table) { table_ = table; }
  // Renews the counters where the last reading is old enough.
  void remember();

  // At the stop of a process that was killed by SIGKILL.
  Killing look(pid_t pid, std::span<const pid_t> threads, std::string_view group_line);
  // All counters as they are and were, into the arena. `doubtful`: traced processes that may have been killed as well
  // and have not said so yet.
  void take(std::string_view group_line, std::size_t doubtful, ArenaWriter& arena);
  // That death has been dealt with. Returns a number for has_room(): a dead process is in no group any more.
  std::size_t settle(std::string_view group_line, const Killing& killing);
  // Whether there is memory to be had again for what we start.
  bool has_room(std::size_t group) const;
  bool has_room(std::string_view group_line) const;

 private:
  struct Killed {
    double at_s = 0;
    bool counted = false;  // one of the kills that the counters showed is taken to be this one
  };

  MemoryGroups* groups_of(std::string_view line);
  const MemoryGroups* groups_of(std::string_view line) const;
  std::size_t uncounted_since(double then_s) const;
  void hear(MemoryGroups& groups, double now_s) const;

  enum class Step { machine, log, witness, ready } step_ = Step::machine;
  const RunTable* table_ = nullptr;
  MachineMemory machine_;
  KernelLog log_;
  KillWitness witness_;
  std::vector<MemoryGroups> groups_;
  std::array<Killed, 32> killed_{};
  std::size_t killed_count_ = 0;
};

}  // namespace sigwhy::capture
