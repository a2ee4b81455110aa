// Memory that remembers the pages read last. A walk over small objects reads the same pages again and again, a few
// bytes at a time; one system call for a whole page is hardly dearer than one for a word. Only for a process that is
// stopped: a page is read once.
#pragma once
#include <array>
#include <cstdint>

#include "target/memory.h"

namespace sigwhy {

class PageCache final : public Memory {
 public:
  explicit PageCache(const Memory& memory) : memory_(memory) {}

  std::size_t read(Address from, std::span<std::byte> into) const override;

  // All of it, for a process that has run on meanwhile.
  void forget();
  // Has its room in memory from now on.
  void touch();

 private:
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t sets = 24, ways = 4;

  struct Page {
    std::uint64_t number = ~std::uint64_t{0};
    std::size_t readable = 0;
    std::array<std::byte, page_bytes> bytes;
  };

  const Page& page(std::uint64_t number) const;

  const Memory& memory_;
  mutable std::array<Page, sets * ways> pages_;
  mutable std::size_t next_way_ = 0;
};

}  // namespace sigwhy
