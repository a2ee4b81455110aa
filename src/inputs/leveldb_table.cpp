#include "inputs/leveldb_table.h"

#include <fmt/format.h>

#include <vector>

#include "base/crc32c.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::leveldb {

namespace {

constexpr std::uint64_t footer_bytes = 48, magic_bytes = 8, trailer_bytes = 5;
constexpr std::uint64_t magic = 0xdb4775248b80fb57;
enum BlockType : std::uint8_t { plain = 0, snappy = 1 };

using Fault = std::optional<Checked>;

struct Handle {
  std::uint64_t at = 0, bytes = 0;
};

// A number in 7-bit groups; moves `at`. Absent: it does not end before `end`.
std::optional<std::uint64_t> varint(PagedBytes& bytes, std::uint64_t& at, std::uint64_t end) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 70 && at < end; shift += 7) {
    const auto byte = bytes.byte(at++);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (!(byte & 0x80)) return value;
  }
  return std::nullopt;
}

std::optional<Handle> handle(PagedBytes& bytes, std::uint64_t& at, std::uint64_t end) {
  const auto place = varint(bytes, at, end), size = varint(bytes, at, end);
  if (!place || !size) return std::nullopt;
  return Handle{*place, *size};
}

// A block's place, type and checksum.
Fault fault_of_block(PagedBytes& bytes, const Handle& block, std::uint64_t said_at, const std::string& name) {
  const auto limit = bytes.bytes() - footer_bytes;
  if (block.at > limit || block.bytes > limit - block.at || trailer_bytes > limit - block.at - block.bytes)
    return broken(
        said_at, name,
        fmt::format("{} bytes from byte {} on do not lie before the footer at {}", block.bytes, block.at, limit));
  if (block.bytes + 1 > longest_buffer) return not_checked(fmt::format("its {} has {} bytes", name, block.bytes));
  const auto type_at = block.at + block.bytes;
  const auto covered = bytes.text(block.at, block.bytes + 1);
  const auto stored = static_cast<std::uint32_t>(bytes.number(type_at + 1, 4));
  const auto given = masked_crc32c(crc32c(std::as_bytes(std::span(covered))));
  if (stored != given)
    return broken(block.at, name,
                  fmt::format("the checksum of its {} bytes is {:#010x}, the bytes give {:#010x}", covered.size(),
                              stored, given));
  const auto type = bytes.byte(type_at);
  if (type == snappy) return not_checked(fmt::format("its {} is compressed with snappy", name));
  if (type != plain) return broken(type_at, name, fmt::format("blocks of type {} do not exist", type));
  if (block.bytes < 4) return broken(block.at, name, fmt::format("{} bytes are too few for a block", block.bytes));
  return {};
}

Fault walk_block(PagedBytes& bytes, const Handle& block, const std::string& name, const Each& each) {
  const auto end = block.at + block.bytes;
  const auto restarts = bytes.number(end - 4, 4);
  if (restarts > (block.bytes - 4) / 4)
    return broken(end - 4, name, fmt::format("{} restart points do not fit into it", restarts));
  const auto entries_end = end - 4 - 4 * restarts;
  std::string key;
  for (auto at = block.at; at < entries_end;) {
    const auto entry_at = at;
    const auto shared = varint(bytes, at, entries_end), own = varint(bytes, at, entries_end),
               value = varint(bytes, at, entries_end);
    const auto left = entries_end - at;
    if (!shared || !own || !value || *shared > key.size() || *own > left || *value > left - *own)
      return broken(entry_at, name, "an entry here does not fit into its block");
    key = key.substr(0, *shared) + bytes.text(at, *own);
    at += *own;
    if (auto fault = each({.key = key, .at = entry_at, .value_at = at, .value_bytes = *value})) return fault;
    at += *value;
  }
  return {};
}

}  // namespace

std::optional<Checked> walk_table(PagedBytes& bytes, const Each& each) {
  const auto size = bytes.bytes();
  if (size < footer_bytes)
    return broken(size, "footer",
                  fmt::format("the file ends here, after less than the {} bytes of a footer", footer_bytes));
  if (bytes.number(size - magic_bytes, 8) != magic)
    return broken(size - magic_bytes, "footer",
                  "the file does not end with a table's magic number: it is cut, or its end was changed");
  auto at = size - footer_bytes;
  const auto meta = handle(bytes, at, size - magic_bytes), index = handle(bytes, at, size - magic_bytes);
  if (!meta || !index) return broken(size - footer_bytes, "footer", "it does not say where the blocks lie");
  if (auto fault = fault_of_block(bytes, *meta, size - footer_bytes, "meta index block")) return fault;
  if (auto fault = fault_of_block(bytes, *index, size - footer_bytes, "index block")) return fault;
  std::uint64_t block = 0, least = 0;
  return walk_block(bytes, *index, "index block", [&](const Entry& entry) -> Fault {
    const auto name = fmt::format("data block {}", block++);
    auto value_at = entry.value_at;
    const auto data = handle(bytes, value_at, entry.value_at + entry.value_bytes);
    if (!data) return broken(entry.value_at, "index block", fmt::format("it does not say where {} lies", name));
    if (data->at < least) return broken(entry.value_at, "index block", fmt::format("{} lies in the one before", name));
    if (auto fault = fault_of_block(bytes, *data, entry.value_at, name)) return fault;
    least = data->at + data->bytes;
    return walk_block(bytes, *data, name, each);
  });
}

}  // namespace sigwhy::inputs::leveldb
