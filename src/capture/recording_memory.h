// Memory that copies into the arena whatever is read through it, in lines of 256 bytes, each once. Whoever walks a
// structure through it leaves behind exactly the bytes that the same walk needs later.
#pragma once
#include <array>
#include <cstdint>

#include "target/arena.h"
#include "target/memory.h"

namespace sigwhy::capture {

class RecordingMemory final : public Memory {
 public:
  RecordingMemory(const Memory& memory, ArenaWriter& arena, std::size_t most_bytes)
      : memory_(memory), arena_(arena), most_bytes_(most_bytes) {}

  std::size_t read(Address from, std::span<std::byte> into) const override;
  bool full() const { return recorded_ >= most_bytes_; }
  // How much of what is read fits into so much of an arena.
  static constexpr std::size_t bytes_in(std::size_t arena_bytes) {
    return arena_bytes / (sizeof(RecordHeader) + sizeof(MemoryRecord) + line_bytes) * line_bytes;
  }

 private:
  static constexpr std::uint64_t line_bytes = 256;
  static constexpr std::size_t slots = 32768;

  void record(std::uint64_t line) const;

  const Memory& memory_;
  ArenaWriter& arena_;
  std::size_t most_bytes_;
  mutable std::size_t recorded_ = 0;
  // Open addressing by line number; 0 is free (no program has its first page mapped).
  mutable std::array<std::uint64_t, slots> seen_{};
};

}  // namespace sigwhy::capture
