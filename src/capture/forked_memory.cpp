#include "capture/forked_memory.h"

#include <algorithm>

namespace sigwhy::capture {

std::size_t ForkedMemory::read(Address from, std::span<std::byte> into) const {
  std::size_t done = own_.read(from, into);
  while (parent_ && done < into.size()) {
    const Address at = from + done;
    const MapEntry* map = maps_.at(at);
    if (!map || map->writable || !maps_.path(*map).starts_with('/')) break;
    const auto size = std::min<std::uint64_t>(into.size() - done, map->end - at.value);
    const auto got = parent_->read(at, into.subspan(done, size));
    done += got;
    if (got < size) break;
    done += own_.read(from + done, into.subspan(done));
  }
  return done;
}

void ForkedMemory::read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                               std::span<bool> whole) const {
  own_.read_pieces(from, into, whole);
  for (std::size_t i = 0; parent_ && i < from.size(); ++i)
    if (!whole[i]) whole[i] = read(from[i], into[i]) == into[i].size();
}

}  // namespace sigwhy::capture
