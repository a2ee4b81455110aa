// The address space with each mapping's use read off its name, its neighbours and the threads' stack pointers.
// glibc's per-thread heaps have no name: they begin at a multiple of 64 MiB and reserve the rest of it.
#pragma once
#include <vector>

#include "evidence/memory.h"
#include "target/target.h"

namespace sigwhy::native {

// One Region per mapping, at the same index.
std::vector<Region> regions_of(const Target& target);

// The one around an address; nullptr: nothing is mapped there. `regions` in the order of their addresses.
const Region* region_at(const std::vector<Region>& regions, Address a);

// Fills in the present size of the region's file and the file system under it. Asks the disk, so only for regions
// that matter; a file that was deleted or replaced since is left alone.
void look_at_file(const Target& target, Region& region);

}  // namespace sigwhy::native
