#include "capture/residency_table.h"

#include <algorithm>
#include <cstring>

#include "capture/live_heap.h"
#include "capture/python_pools.h"
#include "capture/smaps.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t smaps_buffer_bytes = 16u << 10;
constexpr std::uint64_t largest_small_object = 512;
constexpr std::uint64_t large_array_bytes = 1u << 20;
constexpr std::uint64_t most_pool_looks = 24'000;
constexpr std::uint32_t most_chunk_looks = 4000;

RowKind kind_of(const SmapsEntry& e) {
  if (e.path == "[heap]") return RowKind::heap;
  if (e.path.starts_with("[stack")) return RowKind::stack;
  const bool shared_memory = e.path.starts_with("/dev/shm/") || e.path.starts_with("/memfd:") || e.path.starts_with("/SYSV") ||
                             e.path.starts_with("/dev/zero");
  if (shared_memory) return RowKind::shared;
  if (e.inode) return RowKind::file;
  return e.path.empty() || e.path.starts_with("[anon") ? RowKind::anonymous : RowKind::other;
}

std::uint64_t bytes_of(std::uint32_t kib) { return std::uint64_t{kib} << 10; }

}  // namespace

bool ResidencyTable::make(int smaps_fd, ArenaWriter& arena) {
  std::size_t room = 0;
  constexpr auto heads = sizeof(FileRecord) + sizeof(ResidencyHeader);
  std::byte* const record = arena.reserve(RecordType::file, heads + smaps_buffer_bytes + 64 * sizeof(ResidencyRow), room);
  if (!record) return false;
  FileRecord name{};
  std::strcpy(name.name, "residency");
  std::memcpy(record, &name, sizeof name);
  header_ = new (record + sizeof name) ResidencyHeader{.version = residency_version};
  std::memcpy(header_->magic, residency_magic, sizeof residency_magic);
  auto* const rows = reinterpret_cast<ResidencyRow*>(record + heads);
  const auto most = std::min(most_residency_rows, (room - heads - smaps_buffer_bytes) / sizeof(ResidencyRow));
  // Text is read where the last rows would come.
  const std::span<char> buffer(reinterpret_cast<char*>(rows + most), smaps_buffer_bytes);
  std::uint64_t end_before = 0;
  const bool read = read_smaps(smaps_fd, buffer, [&](const SmapsEntry& e) {
    auto kind = kind_of(e);
    // .bss: what lies right behind a file's data.
    if (kind == RowKind::anonymous && e.start == end_before && e.writable && !e.executable) kind = RowKind::file;
    end_before = kind == RowKind::file && e.writable && e.inode ? e.end : 0;
    if (e.resident_kib == 0 && e.swap_kib == 0) return;
    if (header_->rows == most) {
      ++header_->left_out;
      header_->left_out_kib += e.resident_kib;
      return;
    }
    rows[header_->rows++] = {.start = e.start,
                             .end = e.end,
                             .kind = kind,
                             .resident_kib = static_cast<std::uint32_t>(e.resident_kib),
                             .anonymous_kib = static_cast<std::uint32_t>(e.anonymous_kib),
                             .swap_kib = static_cast<std::uint32_t>(e.swap_kib)};
  });
  if (!read || header_->rows == 0) {
    header_ = nullptr;
    return false;
  }
  rows_ = {rows, header_->rows};
  arena.commit(heads + rows_.size_bytes());
  return true;
}

ResidencyRow* ResidencyTable::at(Address a) {
  const auto after = std::ranges::upper_bound(rows_, a.value, {}, &ResidencyRow::start);
  if (after == rows_.begin() || a.value >= (after - 1)->end) return nullptr;
  return &*(after - 1);
}

// Of a large block only what may be resident counts: a file that is mapped and not read takes no memory.
std::uint64_t ResidencyTable::array(Address start, std::uint64_t bytes) {
  if (rows_.empty()) return bytes;
  std::uint64_t present = 0;
  for (std::uint64_t done = 0; done < bytes;) {
    ResidencyRow* row = at(start + done);
    if (!row) {
      const auto next = std::ranges::upper_bound(rows_, start.value + done, {}, &ResidencyRow::start);
      if (next == rows_.end() || next->start >= start.value + bytes) break;
      row = &*next;
      done = row->start - start.value;
    }
    const auto part = std::min(bytes - done, row->end - (start.value + done));
    row->array_bytes += part;
    present += std::min(part, bytes_of(row->resident_kib) + bytes_of(row->swap_kib));
    done += part;
  }
  return bytes < large_array_bytes && present ? bytes : present;
}

void ResidencyTable::object(Address at_object, std::uint64_t bytes) {
  ResidencyRow* const row = at(at_object);
  if (!row) return;
  const bool in_heap = row->kind == RowKind::heap || row->kind == RowKind::thread_heap;
  if (in_heap || bytes > largest_small_object) row->object_bytes += bytes;
}

void ResidencyTable::look_at_heaps(const Memory& memory, const MapTable& maps, std::span<std::byte> buffer) {
  Address heap;
  for (ResidencyRow& row : rows_) {
    if (row.kind == RowKind::heap && !heap.value) heap = Address{row.start};
    if (row.kind == RowKind::anonymous && begins_thread_heap(memory, Address{row.start})) row.kind = RowKind::thread_heap;
  }
  for (const MapEntry* e = maps.begin(); e != maps.end(); ++e) {
    const auto name = maps.name(*e);
    if (!e->writable || !(name.starts_with("libc.so") || name.starts_with("libc-2."))) continue;
    // Data and, right behind it, what has no initial value.
    const MapEntry* const next = e + 1;
    const bool more = next != maps.end() && next->start == e->end && !next->path && next->writable;
    const auto size = std::min<std::uint64_t>(buffer.size(), (more ? next->end : e->end) - e->start);
    const auto got = memory.read(Address{e->start}, buffer.first(size));
    const auto found = free_in_heaps(memory, Address{e->start}, buffer.first(got), heap);
    header_->main_heap_free += found.main;
    header_->thread_heaps_free += found.threads;
    header_->heap_cut_short |= found.cut_short;
  }
}

std::uint64_t ResidencyTable::unlabelled(const ResidencyRow& row) const {
  const auto known = row.array_bytes + row.pool_bytes;
  const auto resident = bytes_of(row.resident_kib);
  return row.kind == RowKind::anonymous && known < resident ? resident - known : 0;
}

void ResidencyTable::look_for_pools(const Memory& memory) {
  std::uint64_t bytes = 0;
  for (const ResidencyRow& row : rows_)
    if (unlabelled(row) > pool_step_bytes) bytes += row.end - row.start;
  std::uint64_t step = pool_step_bytes;
  while (bytes / step > most_pool_looks) step *= 2;
  for (ResidencyRow& row : rows_) {
    if (unlabelled(row) <= pool_step_bytes) continue;
    const auto pools = python_pools(memory, Address{row.start}, Address{row.end}, step);
    row.pool_bytes = pools.bytes;
    row.free_pool_bytes = pools.free_bytes;
  }
}

void ResidencyTable::look_for_chunks(const Memory& memory) {
  std::uint32_t looks = most_chunk_looks;
  for (ResidencyRow& row : rows_)
    if (unlabelled(row) > 0) row.chunk_bytes = mapped_chunk_bytes(memory, Address{row.start}, Address{row.end}, looks);
}

}  // namespace sigwhy::capture
