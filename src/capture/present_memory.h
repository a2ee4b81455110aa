// Only what is in memory already. To read a page that is not makes the kernel find one for it, and where a control
// group is full, as at a kill, that waits for seconds while the rest is taken away; a page that was swapped out waits
// for a disk. /proc/PID/pagemap tells which are there. Pages of files that nobody writes to are read all the same:
// they are shared, and hardly ever missing where anybody looks.
#pragma once
#include <array>
#include <bitset>

#include "capture/map_table.h"
#include "target/memory.h"

namespace sigwhy::capture {

class PresentMemory final : public Memory {
 public:
  // `pagemap_fd` is opened in advance; -1: everything is read.
  PresentMemory(const Memory& memory, const MapTable& maps, int pagemap_fd)
      : memory_(memory), maps_(maps), pagemap_fd_(pagemap_fd) {}

  std::size_t read(Address from, std::span<std::byte> into) const override;
  void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                   std::span<bool> whole) const override;

 private:
  static constexpr std::size_t pages_a_region = 512, regions = 128;
  struct Region {
    std::uint64_t number = ~std::uint64_t{0};
    std::bitset<pages_a_region> present;
  };

  bool is_present(std::uint64_t page) const;
  // How many bytes from there on can be read without a missing page, at most `bytes`.
  std::size_t present_bytes(Address from, std::size_t bytes) const;

  const Memory& memory_;
  const MapTable& maps_;
  int pagemap_fd_;
  mutable std::array<Region, regions> regions_;
};

}  // namespace sigwhy::capture
