#include "target/scratch_cache.h"

#include <algorithm>

namespace sigwhy {

namespace {

constexpr std::size_t page_bytes = 4096;

}  // namespace

ScratchCache::ScratchCache(const Memory& memory, std::span<std::byte> room) : memory_(memory) {
  const auto skip = (8 - reinterpret_cast<std::uintptr_t>(room.data()) % 8) % 8;
  if (room.size() < skip) return;
  room = room.subspan(skip);
  sets_ = room.size() / (ways * (line_bytes + sizeof(Line)));
  lines_ = {reinterpret_cast<Line*>(room.data()), sets_ * ways};
  bytes_ = room.data() + lines_.size_bytes();
  std::ranges::fill(lines_, Line{~std::uint64_t{0}, 0, 0});
}

// The first page of a line may be missing while a later one is there: the object may lie in either.
void ScratchCache::fill(std::uint64_t number, Line& line, std::byte* bytes) const {
  line = {number, 0, static_cast<std::uint32_t>(memory_.read(Address{number * line_bytes}, {bytes, line_bytes}))};
  if (line.end != 0) return;
  line.first = page_bytes;
  line.end = page_bytes + static_cast<std::uint32_t>(memory_.read(Address{number * line_bytes + page_bytes},
                                                                  {bytes + page_bytes, line_bytes - page_bytes}));
}

const ScratchCache::Line& ScratchCache::line(std::uint64_t number, const std::byte*& bytes) const {
  const std::size_t set = (number * 0x9e3779b97f4a7c15 >> 32) % sets_ * ways;
  for (std::size_t way = set; way < set + ways; ++way)
    if (lines_[way].number == number) {
      bytes = bytes_ + way * line_bytes;
      return lines_[way];
    }
  const std::size_t way = set + next_way_++ % ways;
  fill(number, lines_[way], bytes_ + way * line_bytes);
  bytes = bytes_ + way * line_bytes;
  return lines_[way];
}

std::size_t ScratchCache::read(Address from, std::span<std::byte> into) const {
  if (sets_ == 0 || into.size() > line_bytes) return memory_.read(from, into);
  std::size_t done = 0;
  while (done < into.size()) {
    const std::uint64_t at = from.value + done;
    const std::size_t offset = at % line_bytes;
    const std::byte* bytes = nullptr;
    const Line& l = line(at / line_bytes, bytes);
    if (offset < l.first || offset >= l.end) break;
    const auto size = std::min<std::size_t>(into.size() - done, l.end - offset);
    std::copy_n(bytes + offset, size, into.begin() + static_cast<std::ptrdiff_t>(done));
    done += size;
  }
  return done;
}

}  // namespace sigwhy
