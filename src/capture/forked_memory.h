// A forked worker has not touched most of its program's files since the fork, and those pages are not in its memory;
// its parent has them mostly, at the same places. Only what neither can have changed is read there.
#pragma once
#include "capture/map_table.h"
#include "target/memory.h"

namespace sigwhy::capture {

class ForkedMemory final : public Memory {
 public:
  // `parent` may be null. `maps`: the worker's.
  ForkedMemory(const Memory& own, const Memory* parent, const MapTable& maps) : own_(own), parent_(parent), maps_(maps) {}

  std::size_t read(Address from, std::span<std::byte> into) const override;
  void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                   std::span<bool> whole) const override;

 private:
  const Memory& own_;
  const Memory* parent_;
  const MapTable& maps_;
};

}  // namespace sigwhy::capture
