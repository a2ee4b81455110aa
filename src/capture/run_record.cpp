#include "capture/run_record.h"

#include <cstring>

#include "base/crc32c.h"

namespace sigwhy::capture {

namespace {

std::uint32_t checksum_of(const RunRecord& record) { return crc32c(std::as_bytes(std::span(&record, 1))); }

bool is_whole(const RecordSlot& slot, bool from_file) {
  const auto ended = slot.ended.load(std::memory_order_acquire);
  if (!ended || slot.begun.load(std::memory_order_acquire) != ended) return false;
  if (slot.record.version != run_record_version || slot.record.bytes != sizeof(RunRecord)) return false;
  return !from_file || slot.checksum == checksum_of(slot.record);
}

// Most of it is readings that the slot has already.
void copy(const RunRecord& from, RunRecord& into) {
  const bool added_to = into.version == from.version && into.stride == from.stride && into.rewrites == from.rewrites &&
                        into.kept_count <= from.kept_count;
  const std::size_t same = added_to ? into.kept_count : 0;
  std::memcpy(&into, &from, offsetof(RunRecord, kept));
  std::memcpy(into.kept + same, from.kept + same, (from.kept_count - same) * sizeof(Reading));
}

}  // namespace

void publish(RecordSlots& slots, const RunRecord& record, bool with_checksum) {
  const auto newest = std::max(slots.slot[0].ended.load(), slots.slot[1].ended.load());
  RecordSlot& slot = slots.slot[slots.slot[0].ended.load() == newest ? 1 : 0];
  slot.begun.store(newest + 1);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  copy(record, slot.record);
  slot.checksum = with_checksum ? checksum_of(slot.record) : 0;
  slot.ended.store(newest + 1, std::memory_order_release);
  std::memcpy(slots.magic, record_magic, sizeof record_magic);
}

const RunRecord* newest_of(const RecordSlots& slots, bool from_file) {
  if (std::memcmp(slots.magic, record_magic, sizeof record_magic) != 0) return nullptr;
  const RecordSlot* best = nullptr;
  for (const RecordSlot& slot : slots.slot)
    if (is_whole(slot, from_file) && (!best || slot.ended.load() > best->ended.load())) best = &slot;
  return best ? &best->record : nullptr;
}

void publish(const RecordedHolders& from, RecordedHolders& into) {
  into.bytes.store(0);
  into.pid = from.pid;
  into.arguments_bytes = from.arguments_bytes;
  into.at_s = from.at_s;
  into.took_s = from.took_s;
  std::memcpy(into.command, from.command, sizeof into.command);
  std::memcpy(into.directory, from.directory, sizeof into.directory);
  std::memcpy(into.arguments, from.arguments, sizeof into.arguments);
  const auto bytes = from.bytes.load();
  std::memcpy(into.census, from.census, bytes);
  into.checksum = crc32c(std::span(from.census).first(bytes));
  into.bytes.store(bytes, std::memory_order_release);
}

std::span<const std::byte> census_in(const RecordedHolders& h) {
  const auto bytes = h.bytes.load(std::memory_order_acquire);
  if (bytes > sizeof h.census) return {};
  const auto census = std::span(h.census).first(bytes);
  return h.checksum == crc32c(census) ? census : std::span<const std::byte>();
}

}  // namespace sigwhy::capture
