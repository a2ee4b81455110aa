#include "capture/recording_memory.h"

#include <cstring>

namespace sigwhy::capture {

std::size_t RecordingMemory::read(Address from, std::span<std::byte> into) const {
  const auto got = memory_.read(from, into);
  if (!got) return 0;
  const std::uint64_t last = (from.value + got - 1) / line_bytes;
  for (std::uint64_t line = from.value / line_bytes; line <= last && !full(); ++line) record(line);
  return got;
}

void RecordingMemory::record(std::uint64_t line) const {
  std::size_t slot = line * 0x9e3779b97f4a7c15 >> 49;
  for (std::size_t tries = 0; seen_[slot]; slot = (slot + 1) % slots) {
    if (seen_[slot] == line) return;
    if (++tries == slots / 2) return;
  }
  seen_[slot] = line;
  std::size_t room = 0;
  std::byte* at = arena_.reserve(RecordType::memory, sizeof(MemoryRecord) + line_bytes, room);
  if (!at) return;
  const MemoryRecord record{line * line_bytes};
  std::memcpy(at, &record, sizeof record);
  const auto got = memory_.read(Address{record.address}, {at + sizeof record, line_bytes});
  if (!got) return;
  arena_.commit(sizeof record + got);
  recorded_ += got;
}

}  // namespace sigwhy::capture
