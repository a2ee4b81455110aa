#include "native/array_memory.h"

#include "native/heap.h"
#include "native/regions.h"

namespace sigwhy::native {

namespace {

// Each costs a walk over the heap's chunks; a case with more arrays than this has a list of them somewhere.
constexpr std::size_t most_blocks = 64;

bool is_file(const Region& r) {
  return (r.kind == RegionKind::file || r.kind == RegionKind::shared_memory) && r.path.starts_with('/');
}

}  // namespace

void add_array_memory(const Target& target, const std::vector<Region>& regions, std::vector<Array>& arrays) {
  std::size_t blocks = 0;
  for (auto& array : arrays) {
    const Region* region = array.data ? region_at(regions, *array.data) : nullptr;
    if (!region) continue;
    if (is_file(*region)) array.path = region->path;
    else if (blocks++ < most_blocks) array.block = block_at(target, array.memory_start.value_or(*array.data));
  }
}

}  // namespace sigwhy::native
