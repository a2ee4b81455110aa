// One value described for a reader: its type, what it is (a number, a string, a length), what it holds. The
// describing walk allocates nothing and hands every piece to a sink; views are valid during the call only.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "python/arrays.h"
#include "python/objects.h"

namespace sigwhy::python {

// What a scalar is, so far as it is told: exactly one is set, or none.
struct Scalar {
  bool is_none = false;
  std::optional<bool> boolean;
  std::optional<std::int64_t> integer;
  std::optional<double> floating;
  std::optional<std::string_view> text;   // the beginning of a string
  std::optional<std::string_view> bytes;  // the beginning of a bytes object
  std::optional<std::string_view> symbol;  // a name of the library's own: an element type
};

struct SeenGroup {
  TextBuffer<56> type;
  std::optional<std::uint64_t> length;
  bool is_array = false;
  ArrayFacts array;  // shape and dtype, where is_array
  std::uint64_t count = 0;
  std::uint64_t first = 0;
};

struct SeenValue {
  std::string_view name;
  std::string_view type;
  Address object;
  bool argument = false;
  Scalar scalar;
  std::optional<std::uint64_t> length;
  const ArrayFacts* array = nullptr;
  std::span<const SeenGroup> groups;
};

class ValueSink {
 public:
  virtual ~ValueSink() = default;
  virtual void value(const SeenValue& value) = 0;
  virtual void item(const SeenValue& item) = 0;  // a member of the value named last
};

// `brief`: name and type only. Items are given for containers and instances.
void describe_value(const Objects& objects, std::string_view name, Address object, bool argument, bool brief,
                    ValueSink& sink);

// Elements of a container or object array by likeness, at most a few kinds of them.
std::span<const SeenGroup> groups_of(const Objects& objects, Address object, const TypeInfo& type,
                                     const ArrayFacts* array);

}  // namespace sigwhy::python
