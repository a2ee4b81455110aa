#include "capture/grab_memory.h"

#include <algorithm>
#include <cstring>

#include "target/dynamic_symbols.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t followed_stack_bytes = 8192;
constexpr std::size_t most_followed = 192;
constexpr std::size_t before_followed = 1024;
constexpr std::size_t after_followed = 3072;
constexpr std::size_t most_runtime_bytes = 128u << 10;
constexpr std::size_t least_left = 256u << 10;  // stop following while there is still room for other threads
constexpr int most_exceptions = 8;
constexpr int most_type_depth = 6;
constexpr std::uint32_t most_bases = 4;
constexpr std::uint64_t exception_class = 0x474e5543432b2b00;  // "GNUCC++\0"; \1 for a dependent one

std::uint64_t word_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint64_t value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

bool is_runtime(std::string_view name) {
  return name.starts_with("libc.so") || name.starts_with("libc-2.") || name.starts_with("libstdc++.so") ||
         name.starts_with("ld-musl");
}

// type_info: {vtable, name, ...}. A class with one base holds a pointer to it next; one with several a count and a
// list of (base, offset).
void copy_type(Copier& copier, Address type, int depth = 0) {
  if (depth == most_type_depth || !copier.maps().at(type)) return;
  copier.copy(type, 96);
  const Memory& memory = copier.memory();
  if (const auto name = memory.read_value<std::uint64_t>(type + 8)) copier.copy(Address{*name}, 256);
  const auto base = memory.read_value<std::uint64_t>(type + 16);
  if (base && copier.maps().at(Address{*base})) return copy_type(copier, Address{*base}, depth + 1);
  const auto count = memory.read_value<std::uint32_t>(type + 20).value_or(0);
  for (std::uint32_t i = 0; i < std::min(count, most_bases); ++i)
    if (const auto one = memory.read_value<std::uint64_t>(type + 24 + i * 16)) copy_type(copier, Address{*one}, depth + 1);
}

void copy_exception(Copier& copier, Address header) {
  copier.around(header, 128, 32 + 512);
  if (const auto type = copier.memory().read_value<std::uint64_t>(header - 80)) copy_type(copier, Address{*type});
  const Address object = header + 32;
  for (int i = 0; i < 8; ++i) {
    const auto word = copier.memory().read_value<std::uint64_t>(object + i * 8);
    if (word && copier.maps().at(Address{*word})) copier.around(Address{*word}, 64, 1024);
  }
}

// glibc keeps the text of an abort in a page of its own, which only this private symbol points to.
void copy_abort_message(Copier& copier, Address libc) {
  const auto symbol = dynamic_symbol(copier.memory(), libc, "__abort_msg");
  if (!symbol) return;
  if (const auto message = copier.memory().read_value<std::uint64_t>(*symbol); message && *message)
    copier.copy(Address{*message}, 2048);
}

}  // namespace

bool Copier::covered(std::uint64_t from, std::uint64_t to) const {
  return std::any_of(ranges_, ranges_ + count_, [&](Range r) { return r.from <= from && to <= r.to; });
}

Copied Copier::copy(Address from, std::size_t bytes) {
  const MapEntry* map = maps_.at(from);
  if (!map || !map->readable) return {};
  bytes = std::min<std::size_t>(bytes, map->end - from.value);
  if (covered(from.value, from.value + bytes)) return {};
  std::size_t room = 0;
  std::byte* into = arena_.reserve(RecordType::memory, sizeof(MemoryRecord) + bytes, room);
  if (!into) return {};
  const std::span<std::byte> payload{into + sizeof(MemoryRecord), bytes};
  const auto got = memory_.read(from, payload);
  if (!got) return {};
  const MemoryRecord record{from.value};
  std::memcpy(into, &record, sizeof record);
  arena_.commit(sizeof record + got);
  if (count_ < most_ranges) ranges_[count_++] = {from.value, from.value + got};
  return {from, payload.first(got)};
}

Copied Copier::around(Address a, std::size_t before, std::size_t after) {
  const MapEntry* map = maps_.at(a);
  if (!map) return {};
  const auto low = a.value - std::min<std::uint64_t>(before, a.value - map->start);
  return copy(Address{low}, a.value - low + after);
}

void follow_stack_words(Copier& copier, const Copied& stack) {
  const auto size = std::min(stack.bytes.size(), followed_stack_bytes);
  std::size_t followed = 0;
  for (std::size_t at = 0; at + 8 <= size && followed < most_followed; at += 8) {
    if (copier.left() < least_left) return;
    const Address pointer{word_at(stack.bytes, at)};
    const MapEntry* map = copier.maps().at(pointer);
    if (!map || !map->writable) continue;
    const auto copied = copier.around(pointer, before_followed, after_followed);
    if (copied.bytes.empty()) continue;
    ++followed;
    copy_exceptions(copier, copied);
  }
}

void copy_exceptions(Copier& copier, const Copied& copied) {
  int found = 0;
  for (std::size_t at = 0; at + 8 <= copied.bytes.size() && found < most_exceptions; at += 8) {
    if ((word_at(copied.bytes, at) & ~std::uint64_t{1}) != exception_class) continue;
    copy_exception(copier, copied.start + at);
    ++found;
  }
}

void copy_vdso(Copier& copier) {
  for (const MapEntry& e : copier.maps())
    if (copier.maps().name(e) == "[vdso]") copier.copy(Address{e.start}, 16384);
}

void copy_runtime_data(Copier& copier) {
  copy_vdso(copier);
  const MapTable& maps = copier.maps();
  for (const MapEntry* e = maps.begin(); e != maps.end(); ++e) {
    const auto name = maps.name(*e);
    if (name == "[heap]") copier.copy(Address{e->start}, 4096);
    if (!is_runtime(name)) continue;
    if (e->offset == 0 && name.starts_with("libc")) copy_abort_message(copier, Address{e->start});
    if (!e->writable) continue;
    copier.copy(Address{e->start}, most_runtime_bytes);
    // .bss: the anonymous mapping right behind .data
    const MapEntry* next = e + 1;
    if (next != maps.end() && next->start == e->end && !next->path && next->writable)
      copier.copy(Address{next->start}, most_runtime_bytes);
  }
}

}  // namespace sigwhy::capture
