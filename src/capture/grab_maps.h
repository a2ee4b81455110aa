// /proc/PID/maps into an arena. A guarded heap or a thousand stacks make tens of thousands of small mappings, of which
// those near an address that matters are kept as they are; the others are joined where they touch, or there would be
// no room for the libraries, which come last.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "target/arena.h"

namespace sigwhy::capture {

// The text as it is in the arena.
std::string_view copy_maps_file(int fd, std::span<const std::uint64_t> that_matter, ArenaWriter& arena);

}  // namespace sigwhy::capture
