// Memory that remembers what was read last, in short lines kept in room that somebody lends: for a walk over very many
// small objects that lie anywhere. Such a walk hardly meets a line twice, so what counts is to ask for many lines in
// one system call: prefetch() is told where it will go next. Only for a walk that forgives old bytes.
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

  // So many are fetched at a time; more are passed over.
  static constexpr std::size_t most_prefetched = 64;
  void prefetch(std::span<const Address> wanted) const;

  static constexpr std::size_t line_bytes = 2048;

 private:
  static constexpr std::size_t ways = 8;

  struct Line {
    std::uint64_t number;
    std::uint64_t readable;
  };

  std::size_t set_of(std::uint64_t number) const { return (number * 0x9e3779b97f4a7c15 >> 32) % sets_ * ways; }
  const Line* find(std::uint64_t number) const;
  std::size_t victim(std::uint64_t number) const { return set_of(number) + next_way_++ % ways; }

  const Memory& memory_;
  std::span<Line> lines_;
  std::byte* bytes_ = nullptr;
  std::size_t sets_ = 0;
  mutable std::size_t next_way_ = 0;
};

}  // namespace sigwhy
