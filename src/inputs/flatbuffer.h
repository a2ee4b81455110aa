// A flatbuffer: tables that point forward by 4-byte offsets to tables, vectors and texts, and backward to a vtable that
// says where in the table each field lies. Nothing in it is checked by a reader that trusts its file: an offset that
// leads outside is a read outside. `verify` follows every one once; the views below may then trust them.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "evidence/input.h"
#include "inputs/paged_bytes.h"

namespace sigwhy::inputs::flatbuffer {

// any_of: a table of the kind that the number in the slot before says. member: one such kind of the union `table`.
enum class Kind { number, numbers, text, texts, table, tables, any_of, member };

struct Field {
  std::string_view table;
  unsigned slot;
  Kind kind;
  unsigned width;       // of a number, of one of the numbers, or of an offset
  std::string_view of;  // the table or the union it holds
  std::string_view name;
};

using Schema = std::span<const Field>;  // sorted by table

struct Verified {
  std::optional<Checked> fault;     // absent: every offset leads to what it should
  std::uint64_t unknown_kinds = 0;  // tables of a kind that the schema does not know; not followed
};
Verified verify(PagedBytes& bytes, Schema schema, std::string_view root);

class Table;

struct Vector {
  std::uint64_t at = 0;  // of its count; 0: the field is absent
  std::uint64_t count = 0;
  std::uint64_t place(std::uint64_t i, unsigned width) const { return at + 4 + i * width; }
};

// A table of a flatbuffer that was verified.
class Table {
 public:
  Table(PagedBytes& bytes, Schema schema, std::string_view name, std::uint64_t at)
      : bytes_(&bytes), schema_(schema), name_(name), at_(at) {}
  static Table root(PagedBytes& bytes, Schema schema, std::string_view name) {
    return {bytes, schema, name, bytes.number(0, 4)};
  }

  std::uint64_t at() const { return at_; }
  // Where the field lies; absent: it has its default.
  std::optional<std::uint64_t> place(std::string_view field) const;
  std::uint64_t place_or_table(std::string_view field) const { return place(field).value_or(at_); }
  std::uint64_t number(std::string_view field) const;  // 0 where absent
  Vector vector(std::string_view field) const;
  Table table_in(std::string_view field, std::uint64_t i) const;
  std::int32_t int_in(const Vector& vector, std::uint64_t i) const {
    return static_cast<std::int32_t>(bytes_->number(vector.place(i, 4), 4));
  }

 private:
  const Field* row(std::string_view field) const;
  PagedBytes* bytes_;
  Schema schema_;
  std::string_view name_;
  std::uint64_t at_;
};

}  // namespace sigwhy::inputs::flatbuffer
