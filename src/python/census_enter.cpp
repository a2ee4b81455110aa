// What a thing leads to: elements, entries, attributes, slots, what a function closed over, what a generator has in
// its frame, and an exception in those of its traceback. A module's globals are roots of their own, so functions do not lead there.
#include <algorithm>

#include "python/census_walk.h"
#include "python/locals.h"
#include "python/texts.h"

namespace sigwhy::python {

namespace {

constexpr std::uint64_t most_children = std::uint64_t{1} << 22;
constexpr std::int64_t most_words = 64;
constexpr std::int64_t least_words_end = 24;
constexpr std::uint64_t is_heap_type = 1u << 9;
constexpr std::int64_t most_generator_bytes = 512;
constexpr int most_frames = 256;

bool has_attributes(const TypeInfo& type) { return type.dict_offset != 0 || (type.flags & 1u << 4) != 0; }

bool is_generator(std::string_view name) {
  return name == "generator" || name == "coroutine" || name == "async_generator";
}

}  // namespace

void CensusWalk::enter(Address object, NodeIndex node) {
  const auto* found = o_.type_of(object);
  if (!found) return;
  const TypeInfo type = *found;
  switch (type.kind) {
    case Kind::list:
    case Kind::tuple:
    case Kind::set: enter_elements(object, type.kind, node); break;
    case Kind::dict: enter_entries(object, node); break;
    case Kind::cell: offer(o_.pointer(object + 16), {.from = node, .named = false}); return;
    case Kind::type: enter_class(object, node); return;
    default: break;
  }
  if (type.name() == "deque") return enter_deque(object, node);
  if (is_generator(type.name())) return enter_generator(object, type, node);
  if (has_attributes(type)) enter_attributes(object, type, node);
  if (type.kind == Kind::instance || type.kind == Kind::callable) enter_words(object, type, node);
  if (type.kind == Kind::exception) enter_traceback(object, node);
}

void CensusWalk::enter_elements(Address object, Kind kind, NodeIndex node) {
  Interest interest;
  Interest* const watched = o_.length(object, kind).value_or(0) > Interest::boring_run ? &interest : nullptr;
  // What a function closed over is a tuple without a name.
  const bool named = node != no_node && room_.node(node).object == object;
  o_.elements(object, kind, most_children, [&](std::uint64_t i, Address element) {
    const auto stands_for = interest.stands_for(i);
    if (!stands_for) return true;
    later(element, {.from = node, .step = Step::index, .key = i, .named = named, .stands_for = stands_for}, watched);
    return may_go_on();
  });
  if (watched) look_at_those();
}

void CensusWalk::enter_entries(Address dict, NodeIndex node) {
  // A dictionary without a name of its own (a registry) shows its entries as attributes of what it belongs to.
  const bool nameless = node != no_node && room_.node(node).object != dict && room_.node(node).kind == Kind::instance;
  Interest interest;
  Interest* const watched = o_.length(dict, Kind::dict).value_or(0) > Interest::boring_run ? &interest : nullptr;
  std::uint64_t i = 0;
  o_.entries(dict, most_children, [&](Address key, Address value) {
    const auto stands_for = interest.stands_for(i++);
    if (!stands_for) return true;
    later(key, {.from = node, .named = false, .stands_for = stands_for});
    const bool named = nameless || i <= 4096;
    later(value, {.from = node,
                  .step = nameless ? Step::attribute : Step::key,
                  .key = key.value,
                  .named = named,
                  .stands_for = stands_for},
          watched);
    return may_go_on();
  });
  if (watched) look_at_those();
}

void CensusWalk::enter_attributes(Address object, const TypeInfo& type, NodeIndex node) {
  o_.attributes(object, type, most_children, [&](Address key, Address value) {
    later(value, {.from = node, .step = Step::attribute, .key = key.value});
    return may_go_on();
  });
}

// Slots, and whatever an extension's objects refer to: words that are addresses of objects.
void CensusWalk::enter_words(Address object, const TypeInfo& type, NodeIndex node) {
  const auto end = std::min<std::int64_t>(type.basic_size, 8 * most_words);
  if (end < least_words_end) return;
  std::array<std::uint64_t, static_cast<std::size_t>(most_words)> words;
  const auto count = static_cast<std::size_t>(end / 8);
  const auto got = o_.memory().read(object, std::as_writable_bytes(std::span(words).first(count))) / 8;
  const auto through = type.kind == Kind::callable ? Through::function : Through::word;
  for (std::size_t i = 2; i < got; ++i) {
    const bool pointer = words[i] >= 4096 && words[i] % 8 == 0 && words[i] >> 47 == 0;
    if (pointer && static_cast<std::int64_t>(i * 8) != type.dict_offset)
      later(Address{words[i]}, {.from = node, .through = through, .named = false});
  }
}

// A chain of blocks, the first of them filled from some index on. A block is { left, 64 elements, right }; 2.7 has
// 62 elements in front of both links, and the length comes last.
void CensusWalk::enter_deque(Address object, NodeIndex node) {
  const bool old = o_.layout().major == 2;
  const std::uint64_t per_block = old ? 62 : 64, first_element = old ? 0 : 1, link = old ? 62 : 65;
  const auto head = o_.memory().read_value<std::array<std::int64_t, 5>>(object + 16);
  if (!head) return;
  const auto length = std::min<std::uint64_t>(static_cast<std::uint64_t>(std::max<std::int64_t>(old ? (*head)[4] : (*head)[0], 0)), most_children);
  auto at = static_cast<std::uint64_t>((*head)[old ? 0 : 1]);
  auto index = static_cast<std::uint64_t>((*head)[old ? 2 : 3]);
  if (index >= per_block) return;
  for (std::uint64_t i = 0; i < length && may_go_on(); index = 0) {
    const auto block = o_.memory().read_value<std::array<std::uint64_t, 66>>(Address{at});
    if (!block) return;
    for (; index < per_block && i < length; ++index, ++i)
      later(Address{(*block)[first_element + index]}, {.from = node, .step = Step::index, .key = i});
    at = (*block)[link];
  }
}

// Up to 3.10 a generator refers to a frame object; since then it has its frame inside. Where, tells the reference to
// its code, the last one.
void CensusWalk::enter_generator(Address object, const TypeInfo& type, NodeIndex node) {
  const auto end = std::min(type.basic_size + most_generator_bytes / 4, most_generator_bytes);
  Address frame;
  for (std::int64_t at = 16; at + 8 <= end; at += 8) {
    const Address word{o_.pointer(object + static_cast<std::uint64_t>(at)).value & ~std::uint64_t{o_.layout().frame.tag_mask}};
    const auto* to = o_.type_of(word);
    if (!to) continue;
    if (to->name() == "frame" && !o_.layout().objects.frame_object_frame) {
      frame = word;
      break;
    }
    if (to->name() == "code" && o_.layout().objects.frame_object_frame && at >= o_.layout().frame.code + 16)
      frame = object + static_cast<std::uint64_t>(at) - o_.layout().frame.code;
  }
  if (!frame.value) return;
  locals_of(o_, frame, [&](const Local& local) {
    offer(local.object, {.from = node, .named = false});
    return may_go_on();
  });
}

// An exception that is kept keeps the frames that it passed, with all their names.
void CensusWalk::enter_traceback(Address exception, NodeIndex node) {
  const auto& at = o_.layout().objects;
  Address entry = at.exception.traceback ? o_.pointer(exception + *at.exception.traceback) : Address{};
  for (int i = 0; i < most_frames && entry.value && may_go_on(); ++i, entry = o_.pointer(entry + at.traceback.next)) {
    const auto* type = o_.type_of(entry);
    if (!type || type->name() != "traceback" || !room_.first_visit(entry.value)) return;
    const Address object = o_.pointer(entry + at.traceback.frame);
    if (!object.value || !room_.first_visit(object.value)) continue;
    locals_of(o_, at.frame_object_frame ? o_.pointer(object + *at.frame_object_frame) : object, [&](const Local& local) {
      offer(local.object, {.from = node, .named = false});
      return may_go_on();
    });
  }
}

// What a class keeps for all its instances.
void CensusWalk::enter_class(Address object, NodeIndex node) {
  const auto flags = o_.memory().read_value<std::uint64_t>(object + o_.layout().objects.type.flags).value_or(0);
  if (!(flags & is_heap_type) || node == no_node || !room_.place(room_.node(node).place).own) return;
  const Address dict = o_.pointer(object + o_.layout().objects.type.base + 8);
  const auto* type = o_.type_of(dict);
  if (!type || type->kind != Kind::dict) return;
  o_.entries(dict, 512, [&](Address key, Address value) {
    const auto* kind = o_.type_of(value);
    if (kind && kind->kind != Kind::callable && kind->kind != Kind::type && !o_.text_is(key, "__dict__"))
      later(value, {.from = node, .step = Step::attribute, .key = key.value});
    return may_go_on();
  });
}

}  // namespace sigwhy::python
