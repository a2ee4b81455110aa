// The memory of a process as far as it lies in memory. To read a page that does not (a file's that was dropped, one
// never touched) the kernel must first find room for it; while it is killing for want of room it finds none, and the
// reader waits until the dying process has been emptied. /proc/PID/pagemap tells which pages are there.
#pragma once
#include <array>
#include <cstdint>

#include "target/memory.h"

namespace sigwhy {

class ResidentMemory final : public Memory {
 public:
  // Without a descriptor (-1) every page counts as there.
  ResidentMemory(const Memory& memory, int pagemap_fd) : memory_(memory), pagemap_fd_(pagemap_fd) {}

  std::size_t read(Address from, std::span<std::byte> into) const override;
  void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                   std::span<bool> whole) const override;

 private:
  bool is_there(std::uint64_t page) const;
  std::size_t readable(Address from, std::size_t bytes) const;

  // Sixty-four pages, a bit each.
  struct Window {
    std::uint64_t number = ~std::uint64_t{0};
    std::uint64_t there = 0;
  };

  const Memory& memory_;
  int pagemap_fd_;
  mutable std::array<Window, 256> windows_;
};

}  // namespace sigwhy
