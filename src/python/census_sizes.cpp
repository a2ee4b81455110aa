// How much memory an object takes by itself: its fixed part, its elements, the tables it owns, and what the collector
// keeps in front of it. Rounding by the allocator is left out.
#include <algorithm>

#include "python/census_walk.h"
#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t is_collected = 1u << 14, collector_bytes = 16;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 44;
constexpr std::uint64_t digit_bytes = 4, most_digits = 4096;
constexpr std::uint64_t doubtful_bytes = 1u << 20;

std::uint64_t bounded(std::optional<std::uint64_t> value) { return value && *value < most_bytes ? *value : 0; }

std::uint64_t word(const Objects& o, Address at) { return bounded(o.memory().read_value<std::uint64_t>(at)); }

struct Table {
  Address at;
  std::uint64_t bytes = 0;
};

// Two thirds of a dictionary's slots have an entry at most, and room for just those is allocated.
Table dict_table(const Objects& o, Address dict) {
  const auto& at = o.layout().objects;
  if (!at.dict.keys) {
    const auto mask = at.dict.mask ? word(o, dict + *at.dict.mask) : 0;
    return {at.dict.table ? o.pointer(dict + *at.dict.table) : Address{}, (mask + 1) * 24};
  }
  const Address keys = o.pointer(dict + *at.dict.keys);
  if (at.keys.log2_index_bytes) {
    const auto log = o.memory().read_value<std::uint8_t>(keys + *at.keys.log2_index_bytes).value_or(0);
    const auto log_size = o.memory().read_value<std::uint8_t>(keys + *at.keys.log2_index_bytes - 1).value_or(0);
    if (log > 40 || log_size > 38) return {};
    const bool texts = at.keys.kind && o.memory().read_value<std::uint8_t>(keys + *at.keys.kind).value_or(0) != 0;
    return {keys, (std::uint64_t{1} << log) + (std::uint64_t{2} << log_size) / 3 * (texts ? 16 : 24)};
  }
  const auto slots = at.keys.size ? word(o, keys + *at.keys.size) : 0;
  return {keys, slots * (slots <= 0xff ? 1 : slots <= 0xffff ? 2 : 4) + slots * 2 / 3 * 24};
}

std::uint64_t text_bytes(const Objects& o, Address object) {
  const auto length = bounded(text_length(o.memory(), o.layout(), object));
  if (!o.layout().text.state) return length;
  const auto state = o.memory().read_value<std::uint32_t>(object + *o.layout().text.state).value_or(0);
  const auto width = state >> 2 & 7;
  return length * (width == 2 || width == 4 ? width : 1);
}

std::uint64_t digits_bytes(const Objects& o, Address object) {
  const auto& at = o.layout().objects.integer;
  std::uint64_t digits = 0;
  if (at.tag) {
    digits = word(o, object + *at.tag) >> 3;
  } else {
    const auto size = o.memory().read_value<std::int64_t>(object + at.size).value_or(0);
    digits = size < 0 ? 0 - static_cast<std::uint64_t>(size) : static_cast<std::uint64_t>(size);
  }
  // So long a number is hardly one.
  return digits > most_digits ? 0 : digits * digit_bytes;
}

}  // namespace

std::uint64_t shallow_bytes(const Objects& o, Address object, const TypeInfo& type, MemoryPlaces* places) {
  auto bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(type.basic_size, 16));
  if (type.flags & is_collected) bytes += collector_bytes;
  Table table;
  switch (type.kind) {
    case Kind::list:
      table = {o.pointer(object + o.layout().objects.list.items), word(o, object + o.layout().objects.list.items + 8) * 8};
      break;
    case Kind::tuple: bytes += bounded(o.length(object, Kind::tuple)) * 8; break;
    case Kind::dict: table = dict_table(o, object); break;
    case Kind::set:
      // Eight slots are part of the object itself.
      if (const auto mask = word(o, object + o.layout().objects.set.mask); mask > 7)
        table = {o.pointer(object + o.layout().objects.set.table), (mask + 1) * 16};
      break;
    case Kind::text: bytes += text_bytes(o, object); break;
    case Kind::wide_text: table = {{}, bounded(o.length(object, type.kind)) * 4}; break;
    // Larger ones are arrays.
    case Kind::bytes: bytes += std::min<std::uint64_t>(bounded(o.length(object, Kind::bytes)), 512); break;
    case Kind::integer: bytes += digits_bytes(o, object); break;
    default: break;
  }
  if (bytes >= most_bytes || table.bytes >= most_bytes) return 0;
  // A large one is believed where its end is there.
  const auto ends = [&](Address at, std::uint64_t size) {
    return size < doubtful_bytes || o.memory().read_value<std::byte>(at + size - 64).has_value();
  };
  if (!ends(object, bytes) || !ends(table.at, table.bytes)) return 0;
  if (places) {
    places->object(object, bytes);
    if (table.at.value && table.bytes) places->object(table.at, table.bytes);
  }
  return bytes + table.bytes;
}

}  // namespace sigwhy::python
