#include "capture/keepsake.h"

#include <algorithm>

namespace sigwhy::capture {

namespace {

// Nobody has written to it: its bytes are the file's.
bool is_of_file(const MapTable& maps, const MapEntry& e) {
  return e.readable && !e.writable && maps.path(e).starts_with('/');
}

std::uint64_t key_of(const MapTable& maps, const MapEntry& e, std::uint64_t line) {
  std::uint64_t key = 0xcbf29ce484222325;
  for (const char c : maps.path(e)) key = (key ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return ((key ^ line) * 0x9e3779b97f4a7c15) | 1;
}

}  // namespace

const Keepsake::Line* Keepsake::find(std::uint64_t key) const {
  const auto set = std::span(lines_).subspan((key >> 32) % sets * ways, ways);
  const auto found = std::ranges::find(set, key, &Line::key);
  return found == set.end() ? nullptr : &*found;
}

void Keepsake::keep(const MapTable& maps, Address at, std::span<const std::byte> bytes) {
  const MapEntry* e = maps.at(at);
  if (!e || !is_of_file(maps, *e) || bytes.size() > 8 * line_bytes) return;
  // Mappings begin at pages, so lines of the file are lines of memory.
  const std::uint64_t end = std::min(at.value + bytes.size(), e->end);
  for (std::uint64_t line = (at.value + line_bytes - 1) / line_bytes * line_bytes; line + line_bytes <= end; line += line_bytes) {
    const auto key = key_of(maps, *e, (line - e->start + e->offset) / line_bytes);
    if (find(key)) continue;
    const auto set = (key >> 32) % sets;
    Line& place = lines_[set * ways + next_way_[set]++ % ways];
    place.key = key;
    std::ranges::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(line - at.value), line_bytes, place.bytes.begin());
  }
}

std::size_t Keepsake::recall(const MapTable& maps, Address from, std::span<std::byte> into) const {
  const MapEntry* e = maps.at(from);
  if (!e || !is_of_file(maps, *e)) return 0;
  std::size_t done = 0;
  while (done < into.size() && from.value + done < e->end) {
    const std::uint64_t in_file = from.value + done - e->start + e->offset;
    const Line* line = find(key_of(maps, *e, in_file / line_bytes));
    if (!line) break;
    const auto skip = in_file % line_bytes;
    const auto size = std::min<std::size_t>(into.size() - done, line_bytes - skip);
    std::ranges::copy_n(line->bytes.begin() + static_cast<std::ptrdiff_t>(skip), static_cast<std::ptrdiff_t>(size),
                        into.begin() + static_cast<std::ptrdiff_t>(done));
    done += size;
  }
  return done;
}

// Whole lines around what was asked for.
std::size_t KeepingMemory::read(Address from, std::span<std::byte> into) const {
  constexpr std::size_t most = 512;
  if (into.size() <= most - 128) {
    std::array<std::byte, most> room;
    const Address start{from.value / 64 * 64};
    const auto bytes = ((from.value + into.size() + 63) / 64 * 64) - start.value;
    const auto got = memory_.read(start, std::span(room).first(bytes));
    keepsake_.keep(maps_, start, std::span(room).first(got));
  }
  return memory_.read(from, into);
}

std::size_t RecallingMemory::read(Address from, std::span<std::byte> into) const {
  std::size_t done = memory_.read(from, into);
  while (done < into.size()) {
    const auto recalled = keepsake_.recall(maps_, from + done, into.subspan(done));
    if (recalled == 0) break;
    done += recalled;
    if (done < into.size()) done += memory_.read(from + done, into.subspan(done));
  }
  return done;
}

void RecallingMemory::read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                                  std::span<bool> whole) const {
  memory_.read_pieces(from, into, whole);
  for (std::size_t i = 0; i < from.size(); ++i)
    if (!whole[i]) whole[i] = read(from[i], into[i]) == into[i].size();
}

}  // namespace sigwhy::capture
