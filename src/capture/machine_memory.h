// The machine's own account of its memory. /proc/vmstat counts every kill for memory anywhere on the machine, in
// containers too, and anybody may read it: where that number stands still, nothing was killed for memory.
#pragma once
#include <cstdint>
#include <optional>

#include "base/owned_fd.h"
#include "target/arena.h"

namespace sigwhy::capture {

class MachineMemory {
 public:
  static MachineMemory open(double now_s);
  // As in MemoryGroups.
  void remember(double now_s);
  void claim_one();
  std::optional<std::uint64_t> kills_since(double now_s) const;
  // Neither opens nor allocates.
  void take(ArenaWriter& arena, double now_s) const;

 private:
  struct Reading {
    double at_s = 0;
    std::optional<std::uint64_t> kills;
  };
  std::optional<std::uint64_t> kills() const;
  const Reading& before(double now_s) const;

  OwnedFd counters_, use_, pressure_;
  Reading newer_, older_;
};

}  // namespace sigwhy::capture
