#include "capture/guard_header.h"

#include <fcntl.h>
#include <stdio.h>

#include <algorithm>
#include <cstring>

#include "base/owned_fd.h"
#include "capture/smaps.h"
#include "target/live.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t most_pages = 256;
constexpr std::uint64_t most_blocks = 16u << 20, most_contexts = 4u << 20;

bool lies_sanely(std::uint64_t start, std::uint64_t count, std::uint64_t record_bytes) {
  const Address end{start + count * record_bytes};
  return start % 8 == 0 && start >= page_bytes && end.value > start && end.value < (1ull << 47);
}

bool makes_sense(const guard::Header& h) {
  return h.version == guard::version && h.bytes == sizeof h && h.mode <= guard::Mode::before &&
         h.stop <= guard::Stop::mismatched_free && h.block_capacity <= most_blocks && h.context_capacity <= most_contexts &&
         h.blocks_used <= h.block_capacity &&
         (h.block_capacity == 0 || lies_sanely(h.blocks, h.block_capacity, sizeof(guard::Block))) &&
         (h.context_capacity == 0 || lies_sanely(h.contexts, h.context_capacity, sizeof(guard::Context)));
}

std::optional<FoundGuard> header_in(const Memory& memory, std::uint64_t start, std::uint64_t end) {
  const auto last = std::min(end, start + most_pages * page_bytes);
  for (auto page = start; page + sizeof(guard::Header) <= last; page += page_bytes) {
    const auto header = memory.read_value<guard::Header>(Address{page});
    if (!header || std::memcmp(header->magic, guard::magic, sizeof guard::magic) != 0) continue;
    if (makes_sense(*header)) return FoundGuard{Address{page}, *header};
  }
  return std::nullopt;
}

bool is_guard(std::string_view path) {
  return path.substr(path.rfind('/') + 1) == guard::library_name;
}

}  // namespace

bool maps_guard(const MapTable& maps) {
  return std::any_of(maps.begin(), maps.end(), [&](const MapEntry& e) { return e.path && is_guard(maps.path(e)); });
}

std::optional<FoundGuard> find_guard(const Memory& memory, const MapTable& maps) {
  for (const MapEntry* e = maps.begin(); e != maps.end(); ++e) {
    if (!e->writable || !e->path || !is_guard(maps.path(*e))) continue;
    if (const auto found = header_in(memory, e->start, e->end)) return found;
    const MapEntry* next = e + 1;
    if (next == maps.end() || next->start != e->end || next->path || !next->writable) continue;
    if (const auto found = header_in(memory, next->start, next->end)) return found;
  }
  return std::nullopt;
}

bool guard_has_finding(pid_t pid) {
  char path[48], buffer[16384];
  snprintf(path, sizeof path, "/proc/%d/maps", pid);
  const OwnedFd maps(::open(path, O_RDONLY | O_CLOEXEC));
  if (!maps) return false;
  const LiveMemory memory(pid);
  std::optional<FoundGuard> found;
  std::uint64_t library_end = 0;
  read_smaps(maps.get(), buffer, [&](const SmapsEntry& e) {
    const bool continues = library_end && e.start == library_end && e.path.empty();
    library_end = 0;
    if (found || (!continues && !is_guard(e.path))) return;
    found = header_in(memory, e.start, e.end);
    library_end = e.end;
  });
  return found && found->header.stop != guard::Stop::none;
}

}  // namespace sigwhy::capture
