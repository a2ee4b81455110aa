// The rows of a residency record while they are being filled, in the arena itself.
#pragma once
#include "capture/map_table.h"
#include "capture/residency.h"
#include "python/census.h"
#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

class ResidencyTable final : public python::MemoryPlaces {
 public:
  // Reads smaps and puts the record into the arena; it stays there to be added to. False where it cannot be read.
  bool make(int smaps_fd, ArenaWriter& arena);

  std::uint64_t array(Address start, std::uint64_t bytes) override;
  void object(Address at, std::uint64_t bytes) override;

  // Labels what no Python name leads to.
  void look_at_heaps(const Memory& memory, const MapTable& maps, std::span<std::byte> buffer);
  void look_for_pools(const Memory& memory);
  void look_for_chunks(const Memory& memory);

 private:
  ResidencyRow* at(Address a);
  std::uint64_t unlabelled(const ResidencyRow& row) const;

  ResidencyHeader* header_ = nullptr;
  std::span<ResidencyRow> rows_;
};

}  // namespace sigwhy::capture
