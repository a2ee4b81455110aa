// A table in LevelDB's format, as TensorFlow keeps a checkpoint's index in: blocks of sorted keys with values, each
// followed by a type byte and a masked CRC-32C; an index block that says where they lie; and a footer of 48 bytes,
// which says where the index block lies and closes with a magic number.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "evidence/input.h"
#include "inputs/paged_bytes.h"

namespace sigwhy::inputs::leveldb {

struct Entry {
  std::string key;
  std::uint64_t at = 0;  // in the file
  std::uint64_t value_at = 0, value_bytes = 0;
};

using Each = std::function<std::optional<Checked>(const Entry&)>;

// The first fault: of the table, or what `each` says of an entry; absent: sound.
std::optional<Checked> walk_table(PagedBytes& bytes, const Each& each);

}  // namespace sigwhy::inputs::leveldb
