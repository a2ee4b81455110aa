#include "target/arena.h"

#include <algorithm>
#include <cstring>

namespace sigwhy {

namespace {

std::size_t padded(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

}  // namespace

ArenaWriter::ArenaWriter(std::span<std::byte> storage) : storage_(storage), used_(sizeof(ArenaHeader)) {
  ArenaHeader header{.version = arena_version, .full = 0, .used = used_};
  std::memcpy(header.magic, arena_magic, sizeof arena_magic);
  std::memcpy(storage_.data(), &header, sizeof header);
}

ArenaWriter ArenaWriter::behind_what_is_in(std::span<std::byte> storage) {
  ArenaHeader header;
  std::memcpy(&header, storage.data(), sizeof header);
  ArenaWriter writer(storage);
  writer.used_ = std::min<std::size_t>(header.used, storage.size());
  std::memcpy(storage.data(), &header, sizeof header);
  return writer;
}

std::byte* ArenaWriter::reserve(RecordType type, std::size_t least, std::size_t& room) {
  if (left() < sizeof(RecordHeader) + padded(least)) {
    const std::uint32_t full = 1;
    std::memcpy(storage_.data() + offsetof(ArenaHeader, full), &full, sizeof full);
    return nullptr;
  }
  const RecordHeader header{static_cast<std::uint32_t>(type), 0};
  std::memcpy(storage_.data() + used_, &header, sizeof header);
  room = (left() - sizeof(RecordHeader)) & ~std::size_t{7};
  return storage_.data() + used_ + sizeof(RecordHeader);
}

void ArenaWriter::commit(std::size_t bytes) {
  const auto size = static_cast<std::uint32_t>(bytes);
  std::memcpy(storage_.data() + used_ + offsetof(RecordHeader, bytes), &size, sizeof size);
  used_ += sizeof(RecordHeader) + padded(bytes);
  const std::uint64_t used = used_;
  std::memcpy(storage_.data() + offsetof(ArenaHeader, used), &used, sizeof used);
}

void ArenaWriter::rewind(std::size_t used) {
  used_ = used;
  const std::uint64_t value = used;
  std::memcpy(storage_.data() + offsetof(ArenaHeader, used), &value, sizeof value);
}

bool ArenaWriter::append(RecordType type, const void* payload, std::size_t bytes) {
  std::size_t room = 0;
  std::byte* into = reserve(type, bytes, room);
  if (!into) return false;
  std::memcpy(into, payload, bytes);
  commit(bytes);
  return true;
}

bool ArenaWriter::file(const char* name, const void* bytes, std::size_t size) {
  std::size_t room = 0;
  std::byte* into = reserve(RecordType::file, sizeof(FileRecord) + size, room);
  if (!into) return false;
  FileRecord record{};
  std::strncpy(record.name, name, sizeof record.name - 1);
  std::memcpy(into, &record, sizeof record);
  std::memcpy(into + sizeof record, bytes, size);
  commit(sizeof record + size);
  return true;
}

void ArenaWriter::gap(const char* what, const char* why, const char* remedy) {
  const char* parts[] = {what, why, remedy};
  std::size_t size = 0, room = 0;
  for (const char* part : parts) size += std::strlen(part) + 1;
  std::byte* into = reserve(RecordType::gap, size, room);
  if (!into) return;
  for (const char* part : parts) into = static_cast<std::byte*>(mempcpy(into, part, std::strlen(part) + 1));
  commit(size);
}

}  // namespace sigwhy
