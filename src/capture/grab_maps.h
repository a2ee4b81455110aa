// /proc/PID/maps into an arena. A guarded heap, a thousand stacks or tensors shared one by one make tens of thousands of
// mappings, and the libraries come behind all of them. So those near an address that matters are kept as they are, and
// those of files with code and what looks like a thread's stack; small private ones are joined where they touch; of
// other data there are as many as fit into a part of the room. How many there were in all is what the kernel compares with vm.max_map_count.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "target/arena.h"

namespace sigwhy::capture {

// The text as it is in the arena. Beside it the file "mapping_count": how many there were, and how many a process may
// have where another file may be opened to see that.
std::string_view copy_maps_file(int fd, bool may_open, std::span<const std::uint64_t> that_matter, ArenaWriter& arena);

}  // namespace sigwhy::capture
