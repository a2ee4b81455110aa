#include "target/scratch_cache.h"

#include <algorithm>
#include <array>

namespace sigwhy {

ScratchCache::ScratchCache(const Memory& memory, std::span<std::byte> room) : memory_(memory) {
  const auto skip = (8 - reinterpret_cast<std::uintptr_t>(room.data()) % 8) % 8;
  if (room.size() < skip) return;
  room = room.subspan(skip);
  sets_ = room.size() / (ways * (line_bytes + sizeof(Line)));
  lines_ = {reinterpret_cast<Line*>(room.data()), sets_ * ways};
  bytes_ = room.data() + lines_.size_bytes();
  std::ranges::fill(lines_, Line{~std::uint64_t{0}, 0});
}

const ScratchCache::Line* ScratchCache::find(std::uint64_t number) const {
  const auto set = lines_.subspan(set_of(number), ways);
  const auto found = std::ranges::find(set, number, &Line::number);
  return found == set.end() ? nullptr : &*found;
}

void ScratchCache::prefetch(std::span<const Address> wanted) const {
  if (sets_ == 0) return;
  std::array<Address, most_prefetched> from;
  std::array<std::span<std::byte>, most_prefetched> into;
  std::array<bool, most_prefetched> whole{};
  std::array<std::size_t, most_prefetched> at;
  std::size_t count = 0;
  for (const Address a : wanted) {
    const auto number = a.value / line_bytes;
    if (count == most_prefetched || find(number)) continue;
    const auto way = victim(number);
    // Taken by another one of this very batch: that one goes first.
    if (std::find(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(count), way) != at.begin() + static_cast<std::ptrdiff_t>(count))
      continue;
    lines_[way] = {number, 0};
    from[count] = Address{number * line_bytes};
    into[count] = {bytes_ + way * line_bytes, line_bytes};
    at[count++] = way;
  }
  memory_.read_pieces(std::span(from).first(count), std::span(into).first(count), std::span(whole).first(count));
  for (std::size_t i = 0; i < count; ++i)
    if (whole[i]) lines_[at[i]].readable = line_bytes;
    else lines_[at[i]].number = ~std::uint64_t{0};
}

std::size_t ScratchCache::read(Address from, std::span<std::byte> into) const {
  if (sets_ == 0 || into.size() > 2 * line_bytes) return memory_.read(from, into);
  std::size_t done = 0;
  while (done < into.size()) {
    const std::uint64_t where = from.value + done, number = where / line_bytes;
    const std::size_t offset = where % line_bytes;
    const Line* line = find(number);
    if (!line) {
      const auto way = victim(number);
      lines_[way] = {number, memory_.read(Address{number * line_bytes}, {bytes_ + way * line_bytes, line_bytes})};
      line = &lines_[way];
    }
    // What is not to be had as a line may be in part.
    if (offset >= line->readable) return done + memory_.read(from + done, into.subspan(done));
    const auto size = std::min<std::size_t>(into.size() - done, line->readable - offset);
    std::copy_n(bytes_ + static_cast<std::size_t>(line - lines_.data()) * line_bytes + offset, size,
                into.begin() + static_cast<std::ptrdiff_t>(done));
    done += size;
  }
  return done;
}

}  // namespace sigwhy
