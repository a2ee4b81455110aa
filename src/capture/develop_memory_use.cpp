#include "capture/develop_memory_use.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/byte_reader.h"
#include "capture/residency.h"
#include "python/census_read.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(MemoryKind::unknown) + 1;

// Bytes by label. What is given out is never more than there is.
class Labels {
 public:
  std::uint64_t& operator[](MemoryKind kind) { return bytes_[static_cast<std::size_t>(kind)]; }

  // Moves as much as is `left` to the label.
  void take(MemoryKind kind, std::uint64_t wanted, std::uint64_t& left) {
    const auto given = std::min(wanted, left);
    (*this)[kind] += given;
    left -= given;
  }

  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const auto b : bytes_) all += b;
    return all;
  }

 private:
  std::array<std::uint64_t, kinds> bytes_{};
};

struct Residency {
  ResidencyHeader header{};
  std::vector<ResidencyRow> rows;
};

std::optional<Residency> residency_of(const Target& target) {
  const auto found = target.files.find("residency");
  if (found == target.files.end()) return std::nullopt;
  ByteReader reader(std::as_bytes(std::span(found->second)));
  Residency r;
  r.header = reader.read<ResidencyHeader>();
  if (reader.failed() || std::memcmp(r.header.magic, residency_magic, sizeof residency_magic) != 0 ||
      r.header.version != residency_version || r.header.rows > most_residency_rows)
    return std::nullopt;
  for (std::uint32_t i = 0; i < r.header.rows; ++i) {
    const auto row = reader.read<ResidencyRow>();
    if (reader.failed()) break;
    // More resident than there is room for: not to be believed.
    if (row.end <= row.start || std::uint64_t{row.resident_kib} << 10 > row.end - row.start) continue;
    r.rows.push_back(row);
  }
  return r;
}

bool holds_stack(const Target& target, const ResidencyRow& row) {
  return std::ranges::any_of(target.threads, [&](const RawThread& t) {
    return t.registers && t.registers->rsp >= row.start && t.registers->rsp < row.end;
  });
}

// What malloc keeps for later is partly untouched: so much of it as the heaps have unresident room is taken to be.
std::uint64_t resident_free(const Residency& r, RowKind kind, std::uint64_t free_bytes) {
  std::uint64_t absent = 0;
  for (const auto& row : r.rows)
    if (row.kind == kind) absent += row.end - row.start - (std::uint64_t{row.resident_kib} << 10);
  return free_bytes - std::min(free_bytes, absent);
}

void label_row(const Target& target, const ResidencyRow& row, Labels& labels, std::uint64_t& free_left) {
  std::uint64_t left = std::uint64_t{row.resident_kib} << 10;
  const auto rest_is = [&](MemoryKind kind) { labels.take(kind, left, left); };
  switch (row.kind) {
    case RowKind::file:
    case RowKind::other: return rest_is(MemoryKind::code_and_files);
    case RowKind::stack: return rest_is(MemoryKind::thread_stacks);
    case RowKind::shared: return rest_is(MemoryKind::shared_memory);
    default: break;
  }
  labels.take(MemoryKind::arrays, row.array_bytes, left);
  if (row.kind == RowKind::heap || row.kind == RowKind::thread_heap) {
    labels.take(MemoryKind::python_objects, row.object_bytes, left);
    const auto before = left;
    labels.take(MemoryKind::heap_free, free_left, left);
    free_left -= before - left;
    return rest_is(MemoryKind::heap_in_use);
  }
  if (holds_stack(target, row)) return rest_is(MemoryKind::thread_stacks);
  labels.take(MemoryKind::heap_free, row.free_pool_bytes, left);
  labels.take(MemoryKind::python_objects, row.pool_bytes - std::min(row.pool_bytes, row.free_pool_bytes), left);
  labels.take(MemoryKind::python_objects, row.object_bytes, left);
  labels.take(MemoryKind::heap_in_use, row.chunk_bytes, left);
  rest_is(MemoryKind::unknown);
}

Labels labels_of(const Target& target, const Residency& r) {
  Labels labels;
  auto main_free = resident_free(r, RowKind::heap, r.header.main_heap_free);
  auto thread_free = resident_free(r, RowKind::thread_heap, r.header.thread_heaps_free);
  for (const auto& row : r.rows) label_row(target, row, labels, row.kind == RowKind::heap ? main_free : thread_free);
  labels[MemoryKind::unknown] += r.header.left_out_kib << 10;
  return labels;
}

// Data of libraries, changed by the process: anonymous memory as the kernel counts.
std::uint64_t written_files(const Residency& r) {
  std::uint64_t sum = 0;
  for (const auto& row : r.rows)
    if (row.kind == RowKind::file || row.kind == RowKind::other) sum += std::uint64_t{std::min(row.anonymous_kib, row.resident_kib)} << 10;
  return sum;
}

// The group whose limit was met: the innermost one that is full, else the innermost one that has a limit.
const MemoryGroup* judging_group(const Snapshot& s) {
  if (!s.memory_bounds) return nullptr;
  const auto& groups = s.memory_bounds->groups;
  const auto known = [](const MemoryGroup& g) { return g.limit_bytes && g.used_bytes; };
  const auto full = std::ranges::find_if(groups, [&](const MemoryGroup& g) {
    return known(g) && g.oom_kills && g.oom_kills_before && *g.oom_kills > *g.oom_kills_before &&
           *g.used_bytes >= *g.limit_bytes - *g.limit_bytes / 20;
  });
  return full == groups.end() ? nullptr : &*full;
}

// From this process's resident memory to what its group counted: file pages are charged to whoever read them first
// (pages of files that the process has written to are its own), and other processes count too.
void fit_to_group(const MemoryGroup& g, std::uint64_t written_files, Labels& labels) {
  const auto used = *g.used_bytes;
  const auto own = labels.sum() - labels[MemoryKind::code_and_files] - labels[MemoryKind::shared_memory] + written_files;
  const auto files = labels[MemoryKind::code_and_files] - std::min(labels[MemoryKind::code_and_files], written_files);
  const auto charged_files = g.file_bytes.value_or(std::min(files, used));
  labels[MemoryKind::code_and_files] = written_files + std::min(files, charged_files);
  labels[MemoryKind::page_cache] = charged_files - std::min(files, charged_files);
  labels[MemoryKind::kernel] = g.kernel_bytes.value_or(0);
  if (g.shared_bytes) labels[MemoryKind::shared_memory] = *g.shared_bytes;
  if (g.anonymous_bytes && *g.anonymous_bytes > own) labels[MemoryKind::other_processes] = *g.anonymous_bytes - own;
  auto sum = labels.sum();
  if (sum <= used) {
    labels[MemoryKind::unknown] += used - sum;
    return;
  }
  // The counters were read a moment apart: what is too much is taken from what is least certain.
  auto excess = sum - used;
  for (const auto kind : {MemoryKind::page_cache, MemoryKind::other_processes, MemoryKind::code_and_files,
                          MemoryKind::kernel, MemoryKind::unknown, MemoryKind::heap_free, MemoryKind::heap_in_use,
                          MemoryKind::shared_memory, MemoryKind::thread_stacks, MemoryKind::python_objects,
                          MemoryKind::arrays}) {
    const auto taken = std::min(excess, labels[kind]);
    labels[kind] -= taken;
    excess -= taken;
  }
}

void add_parts(Labels& labels, const python::CensusFacts* census, MemoryUse& use) {
  for (std::size_t i = 0; i < kinds; ++i) {
    const auto kind = static_cast<MemoryKind>(i);
    if (labels[kind] == 0) continue;
    MemoryPart part{.kind = kind, .bytes = labels[kind]};
    if (census && kind == MemoryKind::arrays) part.count = census->arrays;
    if (census && kind == MemoryKind::python_objects) part.count = census->objects;
    use.parts.push_back(part);
  }
  std::ranges::stable_sort(use.parts, std::ranges::greater{}, &MemoryPart::bytes);
}

}  // namespace

std::optional<MemoryUse> memory_use_of(const Target& target, Snapshot& s) {
  const auto residency = residency_of(target);
  const auto record = target.files.find("census");
  auto census = record == target.files.end() ? std::nullopt : python::read_census(record->second);
  if (!residency && !census) return std::nullopt;
  MemoryUse use;
  if (residency) {
    auto labels = labels_of(target, *residency);
    use.resident_bytes = use.judged_bytes = labels.sum();
    if (const MemoryGroup* group = judging_group(s)) {
      use.of_group = true;
      fit_to_group(*group, written_files(*residency), labels);
      use.judged_bytes = labels.sum();
    }
    add_parts(labels, census ? &*census : nullptr, use);
  } else {
    use.resident_bytes = use.judged_bytes = s.process.resident_bytes.value_or(0);
    s.gaps.push_back({"what most of the memory was used for", "the kernel did not tell what was resident", ""});
  }
  if (!census) return use;
  use.objects_seen = census->objects;
  use.holders = std::move(census->holders);
  use.copies = std::move(census->copies);
  use.types = std::move(census->types);
  if (census->cut_short)
    s.gaps.push_back({"what some Python names hold",
                      "there were more objects than could be looked at in the time and room there was", ""});
  return use;
}

}  // namespace sigwhy::capture
