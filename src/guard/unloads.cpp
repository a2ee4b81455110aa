#include "guard/unloads.h"

#include <link.h>

#include "guard/state.h"

namespace sigwhy::guard {

namespace {

struct Library {
  u64 start, end;
};

struct List {
  u32 count;
  Library libraries[2047];
};

Library extent_of(const dl_phdr_info& library) {
  Library extent{~u64{0}, 0};
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const auto& part = library.dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const u64 start = library.dlpi_addr + part.p_vaddr;
    if (start < extent.start) extent.start = start;
    if (start + part.p_memsz > extent.end) extent.end = start + part.p_memsz;
  }
  return extent;
}

int note(dl_phdr_info* library, std::size_t, void* data) {
  List& list = *static_cast<List*>(data);
  if (list.count == sizeof list.libraries / sizeof list.libraries[0]) return 1;
  list.libraries[list.count++] = extent_of(*library);
  return 0;
}

int cross_out(dl_phdr_info* library, std::size_t, void* data) {
  List& list = *static_cast<List*>(data);
  const Library still_there = extent_of(*library);
  for (u32 i = 0; i < list.count; ++i)
    if (list.libraries[i].start == still_there.start && list.libraries[i].end == still_there.end) list.libraries[i] = {};
  return 0;
}

void tell_gone(const Library& library) {
  const u64 number = __atomic_fetch_add(&header.unloaded_count, 1, __ATOMIC_RELAXED);
  header.unloaded[number % unloaded_kept] = {.start = library.start, .end = library.end, .number = number};
}

}  // namespace

Unloading::Unloading() : before_(map_pages(0, sizeof(List), PROT_READ | PROT_WRITE)) {
  if (before_) dl_iterate_phdr(note, reinterpret_cast<void*>(before_));
}

Unloading::~Unloading() {
  if (!before_) return;
  List& list = *reinterpret_cast<List*>(before_);
  dl_iterate_phdr(cross_out, &list);
  for (u32 i = 0; i < list.count; ++i)
    if (list.libraries[i].end) tell_gone(list.libraries[i]);
  raw_call(SYS_munmap, static_cast<long>(before_), sizeof(List));
}

}  // namespace sigwhy::guard
