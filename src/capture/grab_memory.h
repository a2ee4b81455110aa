// Copying memory during a grab: each byte once, never past a mapping's end, never past its budget.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "capture/map_table.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

// A copy in the arena and where it came from.
struct Copied {
  Address start;
  std::span<const std::byte> bytes;

  Copied from(Address a) const {
    const auto skip = std::min<std::uint64_t>(a.value - start.value, bytes.size());
    return {start + skip, bytes.subspan(skip)};
  }
};

class Copier {
 public:
  Copier(const Memory& memory, const MapTable& maps, ArenaWriter& arena)
      : memory_(memory), maps_(maps), arena_(arena) {}

  // Copies [from, from+bytes) as far as it is mapped readable; empty where nothing new was copied.
  Copied copy(Address from, std::size_t bytes);
  // Copies `before` bytes below and `after` bytes above, clipped to the mapping.
  Copied around(Address a, std::size_t before, std::size_t after);

  // To take back what was copied since: the arena is taken back by its owner.
  std::size_t mark() const { return count_; }
  void rewind(std::size_t mark) { count_ = mark; }

  const Memory& memory() const { return memory_; }
  const MapTable& maps() const { return maps_; }
  std::size_t left() const { return arena_.left(); }

 private:
  bool covered(std::uint64_t from, std::uint64_t to) const;

  struct Range {
    std::uint64_t from, to;
  };
  static constexpr std::size_t most_ranges = 1024;

  const Memory& memory_;
  const MapTable& maps_;
  ArenaWriter& arena_;
  Range ranges_[most_ranges];
  std::size_t count_ = 0;
};

// What an abort or an escaped exception left behind lies a pointer or two away from the innermost stack words.
void follow_stack_words(Copier& copier, const Copied& stack);
// The kernel's code in the program: the only that no file holds.
void copy_vdso(Copier& copier);
// The C and C++ runtime's own data: heap bookkeeping, the abort message.
void copy_runtime_data(Copier& copier);
// C++ exception objects met in a copy: header, type, and what the object's first words point to.
void copy_exceptions(Copier& copier, const Copied& copied);

}  // namespace sigwhy::capture
