#include "python/reach.h"

#include <time.h>

#include <algorithm>
#include <charconv>

#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_children = 4096;
// A long list of numbers or strings holds no arrays: after so many elements without one the rest is taken to be alike.
constexpr std::uint64_t boring_run = 64;

double now_s() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

bool has_members(Kind kind) {
  return kind == Kind::list || kind == Kind::tuple || kind == Kind::dict || kind == Kind::instance;
}

// A set of addresses that may take a new one for seen (one in a few hundred when full), never the other way round:
// the walk then misses an object. Large, and one walk runs at a time.
std::array<std::uint64_t, (1u << 20) / 64> seen_room;

}  // namespace

struct Reach::Path {
  char bytes[192];
  std::size_t size = 0;

  void put(std::string_view text) {
    for (const char c : text)
      if (size < sizeof bytes) bytes[size++] = c;
  }
  void put_index(std::int64_t index) {
    char digits[24];
    put("[");
    put({digits, static_cast<std::size_t>(std::to_chars(digits, digits + sizeof digits, index).ptr - digits)});
    put("]");
  }
  // torch keeps layers and weights in dictionaries and shows them as attributes: model.fc.weight.
  bool drop_registry() {
    for (const std::string_view registry : {"._modules", "._parameters", "._buffers"})
      if (view().ends_with(registry)) {
        size -= registry.size();
        return true;
      }
    return false;
  }
  std::string_view view() const { return {bytes, size}; }
};

Reach::Reach(const Objects& objects, ReachSink& sink, const ReachLimits& limits)
    : o_(objects), sink_(sink), limits_(limits), started_s_(now_s()) {}

void Reach::begin_round() { seen_room.fill(0); }

bool Reach::first_visit(Address object) {
  bool known = true;
  std::uint64_t hash = object.value >> 4;
  for (int i = 0; i < 3; ++i) {
    hash *= 0x9e3779b97f4a7c15;
    const auto bit = hash >> 44;
    auto& word = seen_room[bit / 64];
    const auto mask = std::uint64_t{1} << bit % 64;
    known &= (word & mask) != 0;
    word |= mask;
  }
  return !known;
}

bool Reach::may_go_on() {
  if (exhausted_) return false;
  exhausted_ = ++visited_ > limits_.objects || (visited_ % 64 == 0 && now_s() - started_s_ > limits_.seconds);
  return !exhausted_;
}

void Reach::from(std::string_view name, Address object, int steps) {
  Path path;
  path.put(name);
  child(path, object, steps);
}

void Reach::child(Path& path, Address object, int steps_left) {
  if (!may_go_on()) return;
  const auto* found = o_.type_of(object);
  if (!found) return;
  const TypeInfo type = *found;
  if (is_array(type.kind)) {
    ArrayFacts array;
    if (!first_visit(object) || !read_array(o_, object, type, array)) return;
    sink_.reached(path.view(), type.name(), array);
    if (array.holds_objects && steps_left > 0) {
      const auto size = path.size;
      object_elements(o_, array, most_children, [&](std::uint64_t i, Address element) {
        path.put_index(static_cast<std::int64_t>(i));
        child(path, element, steps_left - 1);
        path.size = size;
        return !exhausted_;
      });
    }
    return;
  }
  if (has_members(type.kind) && steps_left > 0 && first_visit(object)) enter(path, object, type, steps_left);
}

void Reach::enter(Path& path, Address object, const TypeInfo& type, int steps_left) {
  const bool registry = type.kind == Kind::dict && path.drop_registry();
  const auto size = path.size;
  std::uint64_t boring = 0;
  const auto step = [&](Address member) {
    const auto* kind = o_.type_of(member);
    boring = kind && (has_members(kind->kind) || is_array(kind->kind)) ? 0 : boring + 1;
    // A registry is not seen by the program, so going through it is no step.
    if (boring == 0) child(path, member, registry ? steps_left : steps_left - 1);
    path.size = size;
    return boring < boring_run && may_go_on();
  };
  if (type.kind == Kind::list || type.kind == Kind::tuple) {
    o_.elements(object, type.kind, most_children, [&](std::uint64_t i, Address element) {
      path.put_index(static_cast<std::int64_t>(i));
      return step(element);
    });
    return;
  }
  TextBuffer<64> text;
  const auto entry = [&](Address key, Address value, bool attribute) {
    const auto* kind = o_.type_of(key);
    const auto number = kind && kind->kind == Kind::integer ? o_.integer(key) : std::nullopt;
    if (number) path.put_index(*number);
    else if (kind && kind->kind == Kind::text && read_text(o_.memory(), o_.layout(), key, text)) {
      // Layers of a torch.nn.Sequential are named "0", "1", ... and reached by index.
      const bool indexed = registry && std::ranges::all_of(text.view(), [](char c) { return c >= '0' && c <= '9'; });
      path.put(indexed ? "[" : attribute ? "." : "['");
      path.put(text.view());
      if (indexed || !attribute) path.put(indexed ? "]" : "']");
    } else path.put("[...]");
    return step(value);
  };
  if (type.kind == Kind::dict)
    return o_.entries(object, most_children, [&](Address k, Address v) { return entry(k, v, registry); });
  o_.attributes(object, type, most_children, [&](Address k, Address v) { return entry(k, v, true); });
}

}  // namespace sigwhy::python
