#include "python/census_copies.h"

#include <array>

namespace sigwhy::python {

namespace {

constexpr std::size_t sample_bytes = 1024, samples = 5;
constexpr std::size_t most_hashed = 256;

// 0: not readable, or all bytes alike, which many unrelated blocks are (zeros).
std::uint64_t sampled_hash(const Memory& memory, const LargeBlock& block) {
  std::uint64_t hash = 0xcbf29ce484222325;
  bool varied = false;
  std::array<std::uint64_t, sample_bytes / 8> words;
  for (std::size_t i = 0; i < samples; ++i) {
    const auto at = (block.bytes - sample_bytes) / (samples - 1) * i & ~std::uint64_t{7};
    if (memory.read(Address{block.start} + at, std::as_writable_bytes(std::span(words))) != sample_bytes) return 0;
    for (const auto word : words) {
      varied |= word != words[0];
      hash = (hash ^ word) * 0x100000001b3;
      hash ^= hash >> 32;
    }
  }
  return varied ? hash | 1 : 0;
}

}  // namespace

void find_copies(const Memory& memory, CensusRoom& room,
                 FunctionRef<bool(const LargeBlock& first, const LargeBlock& second)> visit) {
  const auto blocks = room.blocks();
  std::ranges::sort(blocks, std::ranges::greater{}, &LargeBlock::bytes);
  std::size_t hashed = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const bool partner = (i > 0 && blocks[i - 1].bytes == blocks[i].bytes) ||
                         (i + 1 < blocks.size() && blocks[i + 1].bytes == blocks[i].bytes);
    if (partner && hashed++ < most_hashed) blocks[i].hash = sampled_hash(memory, blocks[i]);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = i + 1; j < blocks.size() && blocks[j].bytes == blocks[i].bytes; ++j) {
      if (!blocks[i].hash || blocks[i].hash != blocks[j].hash || blocks[j].told || blocks[i].node == blocks[j].node) continue;
      blocks[j].told = true;
      if (!visit(blocks[i], blocks[j])) return;
    }
}

}  // namespace sigwhy::python
