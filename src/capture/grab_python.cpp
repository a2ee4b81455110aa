#include "capture/grab_python.h"

#include "capture/recording_memory.h"
#include "python/frames.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_python_bytes = 1u << 20;

class NoSink final : public python::FrameSink {
  void thread(const python::WalkedThread&) override {}
  void frame(const python::WalkedFrame&) override {}
};

}  // namespace

void copy_python_frames(const Memory& memory, const MapTable& maps, ArenaWriter& arena) {
  NoSink nowhere;
  for (const MapEntry& e : maps) {
    if (e.offset != 0 || !e.path || !python::may_hold_interpreter(maps.name(e))) continue;
    const RecordingMemory recording(memory, arena, most_python_bytes);
    const auto found = python::interpreter_in(recording, {Address{e.start}, maps.name(e)});
    if (!found) continue;
    python::walk(recording, *found, nowhere);
    if (recording.full()) arena.gap("some Python frames", "they took more than the megabyte kept for them", "");
    return;
  }
}

}  // namespace sigwhy::capture
