#include "target/resident_memory.h"

#include <unistd.h>

#include <algorithm>

namespace sigwhy {

namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr std::uint64_t window_pages = 64;
constexpr int present_bit = 63;

std::uint64_t pages_there(int pagemap_fd, std::uint64_t first_page) {
  std::uint64_t entries[window_pages] = {};
  const auto got = ::pread(pagemap_fd, entries, sizeof entries, static_cast<off_t>(first_page * sizeof(std::uint64_t)));
  std::uint64_t there = 0;
  for (std::size_t i = 0; got > 0 && i < static_cast<std::size_t>(got) / sizeof(std::uint64_t); ++i)
    there |= (entries[i] >> present_bit & 1) << i;
  return there;
}

}  // namespace

bool ResidentMemory::is_there(std::uint64_t page) const {
  const std::uint64_t number = page / window_pages;
  Window& window = windows_[(number * 0x9e3779b97f4a7c15 >> 56) % windows_.size()];
  if (window.number != number) window = {number, pages_there(pagemap_fd_, number * window_pages)};
  return window.there >> page % window_pages & 1;
}

std::size_t ResidentMemory::readable(Address from, std::size_t bytes) const {
  if (pagemap_fd_ < 0) return bytes;
  const std::uint64_t end = from.value + bytes;
  std::uint64_t at = from.value;
  while (at < end && is_there(at / page_bytes)) at = (at / page_bytes + 1) * page_bytes;
  return std::min(at, end) - from.value;
}

std::size_t ResidentMemory::read(Address from, std::span<std::byte> into) const {
  const auto bytes = readable(from, into.size());
  return bytes ? memory_.read(from, into.first(bytes)) : 0;
}

void ResidentMemory::read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                                 std::span<bool> whole) const {
  const auto is_readable = [&](std::size_t i) { return readable(from[i], into[i].size()) == into[i].size(); };
  for (std::size_t at = 0; at < from.size();) {
    std::size_t end = at;
    while (end < from.size() && is_readable(end)) ++end;
    if (end > at) memory_.read_pieces(from.subspan(at, end - at), into.subspan(at, end - at), whole.subspan(at, end - at));
    if (end < from.size()) whole[end++] = false;
    at = end;
  }
}

}  // namespace sigwhy
