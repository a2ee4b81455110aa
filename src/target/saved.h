// A grabbed arena read back: from the descriptor the supervisor hands over, or from the side file of a case
// (the same bytes, zstd-compressed).
#pragma once
#include <span>
#include <string>

#include "base/result.h"
#include "target/target.h"

namespace sigwhy {

// Copies of memory at addresses; overlapping blocks are clipped, holes stay holes.
class BlockMemory final : public Memory {
 public:
  struct Block {
    Address start;
    std::span<const std::byte> bytes;
  };
  explicit BlockMemory(std::vector<Block> blocks, std::shared_ptr<const void> keeps_alive = {});

  std::size_t read(Address from, std::span<std::byte> into) const override;
  const std::vector<Block>& blocks() const { return blocks_; }

 private:
  std::vector<Block> blocks_;  // sorted, disjoint
  std::shared_ptr<const void> keeps_alive_;
};

// `bytes` stays referenced by the target's memory as long as `keeps_alive` lives.
Result<Target> target_from_arena(std::span<const std::byte> bytes, std::shared_ptr<const void> keeps_alive);
Result<Target> target_from_arena_fd(int fd);
Result<Target> target_from_side_file(const std::string& path);

// The part of an arena that holds records.
std::span<const std::byte> used_part(std::span<const std::byte> arena);

// The arena's used bytes, compressed, as they are kept beside a case.
Result<std::string> compressed_arena(std::span<const std::byte> bytes);

}  // namespace sigwhy
