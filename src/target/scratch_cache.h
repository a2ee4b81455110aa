// Memory that remembers what was read last, in lines of several pages kept in room that somebody lends: for a walk
// over very many small objects, where the page cache is too small and a system call a page too slow. Only for a walk
// that forgives old bytes: a line is read once.
#pragma once
#include <cstdint>
#include <span>

#include "target/memory.h"

namespace sigwhy {

class ScratchCache final : public Memory {
 public:
  // Uses as many whole lines of `room` as there are; with none, every read goes through.
  ScratchCache(const Memory& memory, std::span<std::byte> room);

  std::size_t read(Address from, std::span<std::byte> into) const override;

  static constexpr std::size_t line_bytes = 8192;

 private:
  static constexpr std::size_t ways = 4;

  struct Line {
    std::uint64_t number;
    std::uint32_t first;  // readable from here ...
    std::uint32_t end;    // ... to here
  };

  const Line& line(std::uint64_t number, const std::byte*& bytes) const;
  void fill(std::uint64_t number, Line& line, std::byte* bytes) const;

  const Memory& memory_;
  std::span<Line> lines_;
  std::byte* bytes_ = nullptr;
  std::size_t sets_ = 0;
  mutable std::size_t next_way_ = 0;
};

}  // namespace sigwhy
