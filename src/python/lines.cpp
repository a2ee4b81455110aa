// The four tables, and what each step of one means:
//   lnotab      (bytes forward, lines forward): the line holds from the sum of the bytes on. 2.7 knows no step back.
//   linetable   (bytes covered, line step): one range per pair; -128 covers bytes that have no line.
//   locations   a head byte (mark, form, code units covered), then by form a line step and columns.
// Tables come out of a dead process: they may be cut short or be something else altogether. Every step eats at
// least one byte, so a walk ends with the table.
#include "python/lines.h"

#include <cstdint>
#include <limits>

#include "base/byte_reader.h"

namespace sigwhy::python {

namespace {

constexpr int bytes_in_code_unit = 2;

std::optional<Location> at_line(std::int64_t line) {
  // Line 0 is real: 3.11 and later give it to the first instruction of a module.
  if (line < 0 || line > std::numeric_limits<int>::max()) return std::nullopt;
  return Location{.line = static_cast<int>(line)};
}

std::optional<Location> in_lnotab(std::span<const std::byte> table, int first_line, int offset, bool step_back) {
  ByteReader reader(table);
  std::int64_t line = first_line;
  std::int64_t address = 0;
  while (reader.left() >= 2) {
    address += reader.read<std::uint8_t>();
    if (address > offset) break;
    const auto step = reader.read<std::uint8_t>();
    line += step_back ? static_cast<std::int8_t>(step) : step;
  }
  return at_line(line);
}

std::optional<Location> in_linetable(std::span<const std::byte> table, int first_line, int offset) {
  constexpr int no_line = -128;
  ByteReader reader(table);
  std::int64_t line = first_line;
  std::int64_t end = 0;
  while (reader.left() >= 2) {
    end += reader.read<std::uint8_t>();
    const auto step = reader.read<std::int8_t>();
    if (step != no_line) line += step;
    if (offset < end) return step == no_line ? std::nullopt : at_line(line);
  }
  return std::nullopt;
}

// Six bits a byte, lowest first; bit 6 says that more follow. What does not fit an int is nonsense.
std::optional<int> read_varint(ByteReader& reader) {
  std::uint64_t value = 0;
  for (int shift = 0; shift <= 30; shift += 6) {
    const auto byte = reader.read<std::uint8_t>();
    if (reader.failed()) return std::nullopt;
    value |= static_cast<std::uint64_t>(byte & 0x3f) << shift;
    if (byte & 0x40) continue;
    if (value > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) return std::nullopt;
    return static_cast<int>(value);
  }
  return std::nullopt;
}

// The lowest bit is the sign.
std::optional<int> read_signed_varint(ByteReader& reader) {
  const auto value = read_varint(reader);
  if (!value) return std::nullopt;
  return *value & 1 ? -(*value >> 1) : *value >> 1;
}

// The forms of a location entry. Below `one_line_first` the form itself holds the upper bits of the column.
enum Form : int { one_line_first = 10, one_line_last = 12, no_columns = 13, long_form = 14, no_location = 15 };

struct Entry {
  bool has_line = true;
  std::int64_t line_step = 0;
  std::optional<int> column;
  std::optional<int> end_column;
};

std::optional<Entry> read_long_entry(ByteReader& reader) {
  const auto line_step = read_signed_varint(reader);
  const auto lines_spanned = read_varint(reader);
  const auto column_plus_one = read_varint(reader);
  const auto end_column_plus_one = read_varint(reader);
  if (!line_step || !lines_spanned || !column_plus_one || !end_column_plus_one) return std::nullopt;
  Entry entry{.line_step = *line_step};
  if (*column_plus_one > 0) entry.column = *column_plus_one - 1;
  if (*end_column_plus_one > 0 && *lines_spanned == 0) entry.end_column = *end_column_plus_one - 1;
  return entry;
}

std::optional<Entry> read_entry(ByteReader& reader, int form) {
  if (form == no_location) return Entry{.has_line = false};
  if (form == long_form) return read_long_entry(reader);
  if (form == no_columns) {
    const auto line_step = read_signed_varint(reader);
    if (!line_step) return std::nullopt;
    return Entry{.line_step = *line_step};
  }
  Entry entry;
  const int first = reader.read<std::uint8_t>();
  if (form >= one_line_first && form <= one_line_last) {
    entry.line_step = form - one_line_first;
    entry.column = first;
    entry.end_column = reader.read<std::uint8_t>();
  } else {
    entry.column = form << 3 | first >> 4;
    entry.end_column = *entry.column + (first & 0xf);
  }
  if (reader.failed()) return std::nullopt;
  return entry;
}

std::optional<Location> in_locations(std::span<const std::byte> table, int first_line, int offset) {
  ByteReader reader(table);
  std::int64_t line = first_line;
  std::int64_t end = 0;
  while (reader.left() > 0) {
    const auto head = reader.read<std::uint8_t>();
    const bool starts_entry = head & 0x80;
    if (!starts_entry) return std::nullopt;
    const auto entry = read_entry(reader, head >> 3 & 0xf);
    if (!entry) return std::nullopt;
    end += ((head & 7) + 1) * bytes_in_code_unit;
    line += entry->line_step;
    if (offset >= end) continue;
    auto location = entry->has_line ? at_line(line) : std::nullopt;
    if (location) {
      location->column = entry->column;
      location->end_column = entry->end_column;
    }
    return location;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Location> location_of(LineTable kind, std::span<const std::byte> table, int first_line, int offset) {
  // A frame that has not begun stands one step before its first instruction.
  if (offset < -bytes_in_code_unit) return std::nullopt;
  if (offset < 0) return at_line(first_line);
  switch (kind) {
    case LineTable::lnotab: return in_lnotab(table, first_line, offset, true);
    case LineTable::lnotab_unsigned: return in_lnotab(table, first_line, offset, false);
    case LineTable::linetable: return in_linetable(table, first_line, offset);
    case LineTable::locations: return in_locations(table, first_line, offset);
  }
  return std::nullopt;
}

}  // namespace sigwhy::python
