#include "python/census_read.h"

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"
#include "evidence/own_code.h"
#include "python/census_record.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50;

// How many bytes the character at the front has; 0 for what is no UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= 0x20 && byte(0) != 0x7f ? 1 : 0;
  const std::size_t size = byte(0) >= 0xf0 && byte(0) < 0xf5 ? 4 : byte(0) >= 0xe0 ? 3 : byte(0) >= 0xc2 ? 2 : 0;
  if (size == 0 || size > text.size() || byte(0) >= 0xf5) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((byte(i) & 0xc0) != 0x80) return 0;
  return size;
}

// A cut text may end inside a character, and nothing that moves a terminal's cursor gets through.
template <std::size_t room>
std::string text(const char (&bytes)[room]) {
  std::string found;
  for (std::string_view rest(bytes, strnlen(bytes, room)); !rest.empty();) {
    const auto size = character_bytes(rest);
    found += rest.substr(0, size);
    rest.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return found;
}

template <std::size_t room>
std::optional<std::string> some_text(const char (&bytes)[room]) {
  auto found = text(bytes);
  return found.empty() ? std::nullopt : std::optional(std::move(found));
}

ElementGroup group_of(const CensusGroup& g) {
  ElementGroup group{.type = text(g.type), .count = g.count};
  group.dtype = some_text(g.dtype);
  const bool told = g.dimensions <= most_census_dimensions &&
                    std::all_of(g.shape, g.shape + g.dimensions, [](std::int64_t d) { return d >= 0; });
  if (told) group.shape.emplace(g.shape, g.shape + g.dimensions);
  return group;
}

// Keras 2 wraps the lists that a layer keeps; the list itself is the wrapper's `_storage`, and nobody wrote that name.
std::string name_as_written(std::string name) {
  constexpr std::string_view storage = "._storage";
  if (name.size() > storage.size() && name.ends_with(storage)) name.resize(name.size() - storage.size());
  return name;
}

MemoryHolder holder_of(const CensusHolder& h, const std::vector<CensusPlace>& places) {
  MemoryHolder holder{.name = name_as_written(text(h.name)),
                      .type = text(h.type),
                      .count = h.arrays,
                      .bytes = h.bytes,
                      .objects = h.objects,
                      .object_bytes = h.object_bytes,
                      .keeps_graph = h.keeps_graph != 0};
  if (h.length < most_bytes) holder.length = h.length;
  if (h.capacity < most_bytes) holder.capacity = h.capacity;
  if (h.keeps_graph && h.graph_nodes && h.graph_nodes < most_bytes) holder.graph_nodes = h.graph_nodes;
  for (std::size_t i = 0; i < std::min<std::uint64_t>(h.groups, most_census_groups); ++i)
    holder.elements.push_back(group_of(h.group[i]));
  if (h.place >= places.size()) return holder;
  const CensusPlace& place = places[h.place];
  holder.file = some_text(place.file);
  holder.function = some_text(place.function);
  holder.module = some_text(place.module);
  if (place.line > 0) holder.line = place.line;
  holder.own_code = place.own != 0;
  return holder;
}

bool sound(const CensusHeader& h) {
  return std::memcmp(h.magic, census_magic, sizeof census_magic) == 0 && h.version == census_version &&
         h.places <= most_census_places && h.holders <= most_census_holders && h.types <= most_census_types &&
         h.copies <= most_census_copies;
}

bool sound(const CensusHolder& h) { return h.bytes < most_bytes && h.object_bytes < most_bytes && h.name[0] != '\0'; }

}  // namespace

std::optional<CensusFacts> read_census(std::string_view bytes) {
  ByteReader reader(std::as_bytes(std::span(bytes)));
  const auto header = reader.read<CensusHeader>();
  if (reader.failed() || !sound(header)) return std::nullopt;
  CensusFacts facts{.objects = header.objects,
                    .object_bytes = std::min(header.object_bytes, most_bytes),
                    .arrays = header.arrays,
                    .array_bytes = std::min(header.array_bytes, most_bytes),
                    .cut_short = (header.cut & ~std::uint32_t{cut_in_libraries}) != 0};
  std::vector<CensusPlace> places(header.places);
  for (auto& place : places) place = reader.read<CensusPlace>();
  for (std::uint32_t i = 0; i < header.holders; ++i)
    if (const auto h = reader.read<CensusHolder>(); !reader.failed() && sound(h)) facts.holders.push_back(holder_of(h, places));
  for (std::uint32_t i = 0; i < header.types; ++i)
    if (const auto t = reader.read<CensusType>(); !reader.failed() && t.bytes < most_bytes)
      facts.types.push_back({text(t.name), t.count, t.bytes});
  for (std::uint32_t i = 0; i < header.copies; ++i)
    if (const auto c = reader.read<CensusCopy>(); !reader.failed() && c.bytes < most_bytes)
      facts.copies.push_back({text(c.name), text(c.copy_of), c.bytes});
  if (reader.failed()) return std::nullopt;
  return facts;
}

}  // namespace sigwhy::python
