#include "capture/grab_loader.h"

#include <algorithm>
#include <cstring>

#include "capture/grab_python.h"
#include "target/loaded_objects.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_objects = 1024;
constexpr std::size_t most_text_bytes = 24 * (most_objects + 1);

}  // namespace

// The list is made at the end of the room that the record was given, so that it needs none of its own.
void record_loaded_objects(const Memory& memory, const MapTable& maps, ArenaWriter& arena) {
  const auto loader = std::find_if(maps.begin(), maps.end(), [&](const MapEntry& e) {
    return e.offset == 0 && e.path && is_loader(maps.name(e));
  });
  if (loader == maps.end()) return;
  const FileRecord record{"loader"};
  const auto list_at = (sizeof record + most_text_bytes + 15) / 16 * 16;
  std::size_t room = 0;
  std::byte* into = arena.reserve(RecordType::file, list_at + most_objects * sizeof(LoadedObject), room);
  if (!into) return;
  const auto objects = std::span(reinterpret_cast<LoadedObject*>(into + list_at), most_objects);
  const auto found = read_loaded_objects(cached_pages(memory), Address{loader->start}, objects);
  if (found.count == 0) return;
  std::memcpy(into, &record, sizeof record);
  const auto text = std::span(reinterpret_cast<char*>(into + sizeof record), most_text_bytes);
  arena.commit(sizeof record + write_loaded_objects(found, objects, text));
}

}  // namespace sigwhy::capture
