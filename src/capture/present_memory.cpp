#include "capture/present_memory.h"

#include <unistd.h>

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t is_there = std::uint64_t{1} << 63;

}  // namespace

bool PresentMemory::is_present(std::uint64_t page) const {
  Region& region = regions_[page / pages_a_region % regions];
  if (region.number != page / pages_a_region) {
    region.number = page / pages_a_region;
    region.present.reset();
    std::array<std::uint64_t, pages_a_region> entries;
    const auto at = region.number * sizeof entries;
    const auto got = ::pread(pagemap_fd_, entries.data(), sizeof entries, static_cast<off_t>(at));
    for (std::size_t i = 0; got > 0 && i < static_cast<std::size_t>(got) / 8; ++i) region.present[i] = entries[i] & is_there;
  }
  if (region.present[page % pages_a_region]) return true;
  const MapEntry* map = maps_.at(Address{page * page_bytes});
  return map && map->readable && !map->writable && map->path;
}

std::size_t PresentMemory::present_bytes(Address from, std::size_t bytes) const {
  std::size_t done = 0;
  while (done < bytes && is_present((from.value + done) / page_bytes)) done += page_bytes - (from.value + done) % page_bytes;
  return std::min(done, bytes);
}

std::size_t PresentMemory::read(Address from, std::span<std::byte> into) const {
  if (pagemap_fd_ < 0) return memory_.read(from, into);
  const auto bytes = present_bytes(from, into.size());
  return bytes ? memory_.read(from, into.first(bytes)) : 0;
}

void PresentMemory::read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                                std::span<bool> whole) const {
  constexpr std::size_t most = 64;
  if (pagemap_fd_ < 0 || from.size() > most) return Memory::read_pieces(from, into, whole);
  std::array<Address, most> there;
  std::array<std::span<std::byte>, most> to;
  std::array<bool, most> read{};
  std::array<std::size_t, most> which;
  std::size_t count = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    whole[i] = false;
    if (present_bytes(from[i], into[i].size()) != into[i].size()) continue;
    there[count] = from[i];
    to[count] = into[i];
    which[count++] = i;
  }
  memory_.read_pieces(std::span(there).first(count), std::span(to).first(count), std::span(read).first(count));
  for (std::size_t i = 0; i < count; ++i) whole[which[i]] = read[i];
}

}  // namespace sigwhy::capture
