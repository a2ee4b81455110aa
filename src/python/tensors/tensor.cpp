#include "python/tensors/tensor.h"

#include <charconv>

namespace sigwhy::python {

namespace {

constexpr std::uint64_t address_space = std::uint64_t{1} << 47;

// The place a path leads to. Structures are aligned and lie in the lower half.
std::optional<Address> follow(const Memory& memory, Address from, const TensorPath& path) {
  for (std::size_t i = 0; i + 1 < path.size; ++i) {
    const auto next = memory.read_value<std::uint64_t>(from + path[i]);
    if (!next || *next < 4096 || *next >= address_space || *next % 8 != 0) return std::nullopt;
    from = {*next};
  }
  return path.empty() ? std::nullopt : std::optional(from + path[path.size - 1]);
}

std::optional<std::uint64_t> number_at(const Memory& memory, Address at, std::uint8_t width_bytes) {
  std::uint64_t value = 0;
  if (memory.read(at, std::as_writable_bytes(std::span(&value, 1)).first(width_bytes)) != width_bytes) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> value_of(const Memory& memory, Address block, const TensorField& field) {
  const auto at = field ? follow(memory, block, field.path) : std::nullopt;
  return at ? number_at(memory, *at, field.width_bytes) : std::nullopt;
}

template <class Names>
const NumberedName* named(const Names& names, std::uint64_t number) {
  for (const NumberedName& name : names)
    if (name.number == number) return &name;
  return nullptr;
}

using Extents = ShortList<std::int64_t, most_tensor_dims>;

std::optional<Extents> read_extents(const Memory& memory, Address block, const ShortList<TensorExtents, 6>& places,
                                    std::uint64_t rank, std::optional<std::uint64_t> tag) {
  for (const TensorExtents& place : places) {
    if (rank < place.lowest_rank || rank > place.highest_rank || (place.tag && place.tag != tag)) continue;
    const auto at = follow(memory, block, place.field.path);
    if (!at) return std::nullopt;
    Extents found;
    const auto width = place.field.width_bytes;
    for (std::uint64_t i = 0; i < rank; ++i) {
      const auto value = number_at(memory, *at + (place.behind_dims ? rank + i : i) * width, width);
      if (!value) return std::nullopt;
      found.add(static_cast<std::int64_t>(*value));
    }
    return found;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> product(const Extents& dims) {
  std::uint64_t all = 1;
  for (const std::int64_t size : dims)
    if (size < 0 || __builtin_mul_overflow(all, static_cast<std::uint64_t>(size), &all)) return std::nullopt;
  return all;
}

// One tensor while it is read.
struct Reading {
  const Memory& memory;
  const TensorLayout& layout;
  Address object, block;
  std::uint64_t numel = 0;
  TensorFacts facts;
};

// Rank, dimensions, dtype, and that they agree with the number of elements, which is kept apart from them.
bool read_shape(Reading& r) {
  const auto rank = value_of(r.memory, r.block, r.layout.rank);
  if (!rank || *rank > most_tensor_dims) return false;
  const auto tag = value_of(r.memory, r.block, r.layout.tag);
  const auto dims = read_extents(r.memory, r.block, r.layout.dims, *rank, tag);
  const auto numel = value_of(r.memory, r.block, r.layout.numel);
  const auto code = value_of(r.memory, r.block, r.layout.dtype);
  const NumberedName* dtype = code ? named(r.layout.dtypes, *code) : nullptr;
  if (!dims || !numel || !dtype || product(*dims) != numel) return false;
  if (__builtin_mul_overflow(*numel, std::uint64_t{dtype->item_bytes}, &r.facts.bytes)) return false;
  r.numel = *numel;
  r.facts.dims = *dims;
  r.facts.dtype = dtype->name();
  r.facts.item_bytes = dtype->item_bytes;
  return true;
}

bool read_strides(Reading& r) {
  if (r.layout.strides.empty()) return true;
  const auto items = read_extents(r.memory, r.block, r.layout.strides, r.facts.dims.size, std::nullopt);
  if (!items) return false;
  Extents bytes;
  for (std::int64_t stride : *items) {
    if (__builtin_mul_overflow(stride, std::int64_t{r.facts.item_bytes}, &stride)) return false;
    bytes.add(stride);
  }
  r.facts.strides = bytes;
  return true;
}

void say_device(TensorFacts& facts, std::string_view text) {
  for (const char c : text)
    if (c > ' ' && c < 127) facts.device.add(c);
}

// torch: a type and an index, -1 for the only one there is.
bool read_numbered_device(Reading& r) {
  const auto type = value_of(r.memory, r.block, r.layout.device);
  const NumberedName* device = type ? named(r.layout.devices, *type) : nullptr;
  if (!device) return false;
  say_device(r.facts, device->name());
  const auto index = value_of(r.memory, r.block, r.layout.device_index);
  if (!index || *index > 127) return true;
  std::array<char, 4> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), *index).ptr;
  say_device(r.facts, ":");
  say_device(r.facts, {digits.data(), end});
  return true;
}

// TensorFlow: "/job:localhost/replica:0/task:0/device:GPU:0". Protobuf marks its strings in the pointer's low bits.
bool read_named_device(Reading& r) {
  const auto at = follow(r.memory, r.object, r.layout.device_object);
  const auto device = at ? number_at(r.memory, *at, 8) : std::nullopt;
  if (!device) return false;
  if (*device == 0) return say_device(r.facts, "cpu"), true;
  if (r.layout.device_text.size != 2 || *device >= address_space) return false;
  const auto string = number_at(r.memory, Address{*device} + r.layout.device_text[0], 8);
  const auto text = string ? number_at(r.memory, Address{*string & ~3ull} + r.layout.device_text[1], 8) : std::nullopt;
  std::array<char, 128> bytes{};
  if (!text) return false;
  const auto got = r.memory.read({*text}, std::as_writable_bytes(std::span(bytes)).first(bytes.size() - 1));
  const std::string_view name(bytes.data(), got);
  constexpr std::string_view key = "/device:";
  const auto key_at = name.find(key);
  if (key_at == name.npos) return false;
  const auto device_name = name.substr(key_at + key.size(), name.find('\0') - key_at - key.size());
  say_device(r.facts, device_name.starts_with("CPU:") ? "cpu" : device_name);
  return true;
}

bool read_device(Reading& r) {
  if (r.layout.device) return read_numbered_device(r);
  return r.layout.device_object.empty() || read_named_device(r);
}

bool readable(const Memory& memory, Address at) { return memory.read_value<std::byte>(at).has_value(); }

void read_data(Reading& r) {
  const bool elsewhere = r.facts.device.size != 0 && r.facts.device_name() != "cpu";
  if (elsewhere || r.facts.item_bytes == 0) return;
  const auto start = value_of(r.memory, r.block, r.layout.data);
  if (!start || *start == 0 || *start >= address_space) return;
  const auto offset = r.layout.offset ? value_of(r.memory, r.block, r.layout.offset) : std::optional<std::uint64_t>(0);
  if (!offset || *offset >= address_space / r.facts.item_bytes) return;
  r.facts.data = Address{*start} + *offset * r.facts.item_bytes;
  const auto room = r.layout.room_items ? std::nullopt : value_of(r.memory, r.block, r.layout.room_bytes);
  if (!room || *room >= address_space) return;
  r.facts.memory_start = Address{*start};
  r.facts.memory_bytes = room;
}

// The first byte behind its last element, from its first; nothing for strides that lead backwards or too far.
std::optional<std::uint64_t> extent_bytes(const TensorFacts& facts) {
  if (!facts.strides) return facts.bytes;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < facts.dims.size; ++i) {
    const auto stride = (*facts.strides)[i];
    std::uint64_t step = 0;
    if (stride < 0 || __builtin_mul_overflow(static_cast<std::uint64_t>(facts.dims[i] - 1), stride, &step) ||
        __builtin_add_overflow(last, step, &last))
      return std::nullopt;
  }
  return last + facts.item_bytes;
}

// Does what the buffer says of itself fit what the tensor says of its elements? Empty tensors prove nothing.
bool buffer_agrees(const Reading& r) {
  if (r.numel == 0 || !r.facts.data || r.facts.device.size == 0 || !readable(r.memory, *r.facts.data)) return false;
  if (r.facts.memory_bytes) {
    const auto extent = extent_bytes(r.facts);
    const auto before = static_cast<std::uint64_t>(*r.facts.data - *r.facts.memory_start);
    return extent && *extent <= *r.facts.memory_bytes && before <= *r.facts.memory_bytes - *extent;
  }
  return value_of(r.memory, r.block, r.layout.room_items) == r.numel ||
         value_of(r.memory, r.block, r.layout.room_bytes) == r.facts.bytes;
}

bool read_block(Reading& r) {
  r.facts.kind = r.layout.kind;
  if (!read_shape(r) || !read_strides(r) || !read_device(r)) return false;
  read_data(r);
  return true;
}

// A variable's handle is a tensor of one resource. The way from there to its value is long, and the handle's own
// device does not tell where that lies: everything must fit, however well the build is known.
std::optional<Reading> read_variable(const Reading& handle) {
  const auto block = follow(handle.memory, handle.block, handle.layout.variable);
  if (!block) return std::nullopt;
  Reading r{handle.memory, handle.layout, handle.object, *block};
  if (!read_block(r) || !buffer_agrees(r)) return std::nullopt;
  r.facts.variable = true;
  return r;
}

}  // namespace

std::optional<TensorKind> tensor_kind(std::string_view native_type_name) {
  if (native_type_name == "torch._C._TensorBase" || native_type_name == "torch._C.TensorBase") return TensorKind::torch;
  if (native_type_name == "tensorflow.python.framework.ops.EagerTensor") return TensorKind::tensorflow;
  return std::nullopt;
}

std::optional<TensorFacts> read_tensor(const Memory& memory, const TensorLayout& layout, Address object, LayoutTrust trust) {
  const auto block = follow(memory, object, layout.block);
  if (!block) return std::nullopt;
  Reading r{memory, layout, object, *block};
  if (!read_block(r)) return std::nullopt;
  const bool handle = r.facts.dtype == "resource" && !layout.variable.empty();
  const auto value = handle ? read_variable(r) : std::nullopt;
  const Reading& best = value ? *value : r;
  if (trust == LayoutTrust::guessed && !buffer_agrees(best)) return std::nullopt;
  return best.facts;
}

}  // namespace sigwhy::python
