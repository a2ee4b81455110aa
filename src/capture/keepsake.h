// What a look into a process needs of its files: the interpreter's symbols, the names of its types, the marks by which
// a library is known. When memory gets short the kernel drops such pages first, and at a kill for memory they cannot
// be had back. So the look is rehearsed while there is time, and the lines of files that it touched are remembered,
// by file and offset, for whichever process maps them.
#pragma once
#include <array>
#include <cstdint>

#include "capture/map_table.h"
#include "target/memory.h"

namespace sigwhy::capture {

class Keepsake {
 public:
  void keep(const MapTable& maps, Address at, std::span<const std::byte> bytes);
  // Copies what is remembered from `from` on, without a hole.
  std::size_t recall(const MapTable& maps, Address from, std::span<std::byte> into) const;

 private:
  static constexpr std::size_t line_bytes = 64, ways = 4, sets = 320;
  struct Line {
    std::uint64_t key = 0;
    std::array<std::byte, line_bytes> bytes;
  };

  const Line* find(std::uint64_t key) const;

  std::array<Line, ways * sets> lines_;
  std::array<std::uint8_t, sets> next_way_{};
};

// Reads, and keeps what it reads of files.
class KeepingMemory final : public Memory {
 public:
  KeepingMemory(const Memory& memory, const MapTable& maps, Keepsake& keepsake)
      : memory_(memory), maps_(maps), keepsake_(keepsake) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;

 private:
  const Memory& memory_;
  const MapTable& maps_;
  Keepsake& keepsake_;
};

// Reads, and where that ends in the middle of a file goes on with what is remembered of it.
class RecallingMemory final : public Memory {
 public:
  RecallingMemory(const Memory& memory, const MapTable& maps, const Keepsake& keepsake)
      : memory_(memory), maps_(maps), keepsake_(keepsake) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;
  void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                   std::span<bool> whole) const override;

 private:
  const Memory& memory_;
  const MapTable& maps_;
  const Keepsake& keepsake_;
};

}  // namespace sigwhy::capture
