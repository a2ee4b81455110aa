#include "capture/grab_python.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "capture/recording_memory.h"
#include "native/counted_index.h"
#include "python/tensors/learned.h"
#include "python/tensors/tensor.h"
#include "target/page_cache.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_python_bytes = 2u << 20;
// For what comes later: how its memory grew, who it was, its tree, its control groups.
constexpr std::size_t left_for_others = 192u << 10;

// Too large for the stack of a program that was given a small one, whose limit the supervisor inherits.
std::optional<PageCache> page_cache;
std::optional<RecordingMemory> recorder;

python::TensorLayouts tensor_layouts(const Memory& memory, const MapTable& maps) {
  python::TensorLayouts layouts(python::learned_layouts());
  for (const MapEntry& e : maps)
    if (e.offset == 0 && e.path) layouts.look_at(memory, {Address{e.start}, maps.name(e)});
  return layouts;
}

std::size_t recordable(std::size_t left) { return RecordingMemory::bytes_in(left - std::min(left, left_for_others)); }

// Only what is read is copied. Of integer arrays the first elements are: one of them may be the index that led nowhere.
class IndexReader : public python::Listener {
 public:
  explicit IndexReader(const Memory& memory) : memory_(memory) {}

  void reached(std::string_view, std::string_view, const python::ArrayFacts& array) override {
    const auto dtype = array.dtype.view();
    if (!array.data || array.holds_objects || !(dtype.starts_with("int") || dtype.starts_with("uint")) || left_ == 0) return;
    --left_;
    std::array<std::byte, native::counted_index_bytes> elements;
    memory_.read(*array.data, std::span(elements).first(std::min<std::uint64_t>(array.bytes, elements.size())));
  }

 private:
  const Memory& memory_;
  int left_ = 64;
};

}  // namespace

const Memory& cached_pages(const Memory& memory) { return page_cache.emplace(memory); }

void copy_python(const Memory& memory, const MapTable& maps, const python::Wanted& wanted, ArenaWriter& arena,
                 Keepsake* keepsake, BeforeValues before_values) {
  bool first = true;
  for (const MapEntry& e : maps) {
    if (e.offset != 0 || !maps.path(e).starts_with('/')) continue;
    const bool program = std::exchange(first, false);
    if (!program && !python::may_hold_interpreter(maps.name(e))) continue;
    const Memory& cached = cached_pages(memory);
    const RecordingMemory& recording = recorder.emplace(cached, arena, std::min(most_python_bytes, recordable(arena.left())));
    const auto keeping = keepsake ? std::optional<KeepingMemory>(std::in_place, recording, maps, *keepsake) : std::nullopt;
    const Memory& read = keeping ? static_cast<const Memory&>(*keeping) : recording;
    const auto found = python::interpreter_in(read, {Address{e.start}, maps.name(e)});
    if (!found) continue;
    python::Listener nobody;
    // Everybody's frames before anybody's values: there may be too little room for those.
    python::walk(read, *found, nobody);
    before_values(&read, &*found);
    auto tensors = tensor_layouts(read, maps);
    auto with_tensors = wanted;
    with_tensors.tensors = &tensors;
    IndexReader indices(read);
    python::walk_everything(read, *found, with_tensors, indices);
    if (recording.full()) arena.gap("some Python frames or values", "they took more than the room kept for them", "");
    return;
  }
  before_values(nullptr, nullptr);
}

}  // namespace sigwhy::capture
