// How the part of the guard's tables that matters lies in an arena, as files of these names. The records are the
// guard's own (guard/wire.h), copied as they were: whoever develops them believes them as little as the copier did.
#pragma once
#include <cstddef>
#include <cstdint>

#include "guard/wire.h"

namespace sigwhy::capture {

inline constexpr char guard_header_file[] = "guard_header";      // one KeptHeader
inline constexpr char guard_blocks_file[] = "guard_blocks";      // KeptBlock each
inline constexpr char guard_contexts_file[] = "guard_contexts";  // guard::Context each
inline constexpr char guard_sites_file[] = "guard_sites";        // KeptSite each

struct KeptHeader {
  guard::Header header;
  std::uint64_t now_ns;  // CLOCK_MONOTONIC, when it was read
};

struct KeptBlock {
  std::uint64_t index;  // in the guard's table
  guard::Block block;
};

// Live blocks that were allocated by the same call of the same Python line.
struct KeptSite {
  std::uint64_t context;  // of the latest; 0: none
  std::uint64_t blocks;
  std::uint64_t bytes;
  std::uint64_t estimated_bytes;  // each block counted for those of its kind that were not recorded
};

inline constexpr std::size_t most_kept_blocks = 24;
inline constexpr std::size_t most_kept_sites = 8;

}  // namespace sigwhy::capture
