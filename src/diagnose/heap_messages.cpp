#include "diagnose/heap_messages.h"

#include <signal.h>

#include <algorithm>
#include <array>

namespace sigwhy::diagnose {

namespace {

struct Known {
  std::string_view text;
  HeapWords words;
};

// glibc 2.3 to 2.41; the first match wins.
constexpr auto known = std::to_array<Known>({
    {"double free detected in tcache", HeapWords::in_thread_cache},
    {"double free or corruption (fasttop)", HeapWords::newest_in_bin},
    {"double free or corruption (top)", HeapWords::is_top},
    {"double free or corruption (!prev)", HeapWords::marked_free},
    {"double free or corruption", HeapWords::damaged},
    {"free(): invalid pointer", HeapWords::no_block},
    {"munmap_chunk(): invalid pointer", HeapWords::bad_pointer},
    {"mremap_chunk(): invalid pointer", HeapWords::bad_pointer},
    {"realloc(): invalid pointer", HeapWords::no_block},
    {"free(): invalid size", HeapWords::bad_pointer},
    {"malloc(): ", HeapWords::damaged},
    {"free(): ", HeapWords::damaged},
    {"realloc(): ", HeapWords::damaged},
    {"calloc(): ", HeapWords::damaged},
    {"malloc_consolidate(): ", HeapWords::damaged},
    {"malloc: top chunk is corrupt", HeapWords::damaged},
    {"malloc_check_get_size", HeapWords::damaged},
    {"corrupted size vs. prev_size", HeapWords::damaged},
    {"corrupted double-linked list", HeapWords::damaged},
    {"corrupted unsorted chunks", HeapWords::damaged},
    {"invalid fastbin entry", HeapWords::damaged},
    {"break adjusted to free malloc space", HeapWords::damaged},
    {"sysmalloc: Assertion", HeapWords::damaged},
    {"malloc assertion failure in ", HeapWords::damaged},
    {"malloc.c:", HeapWords::damaged},
    {"arena.c:", HeapWords::damaged},
});

}  // namespace

std::optional<HeapMessage> heap_message(const Facts& f) {
  if (f.signal != SIGABRT || !f.libc_gave_up) return std::nullopt;
  const auto& texts = f.snapshot.texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].kind != TextKind::abort_message) continue;
    for (const auto& k : known)
      if (texts[i].text.find(k.text) != std::string::npos) return HeapMessage{k.words, i};
  }
  return std::nullopt;
}

std::optional<std::size_t> pointer_with_role(const Facts& f, std::string_view role) {
  const auto& pointers = f.snapshot.pointers;
  const auto found = std::ranges::find(pointers, role, &Pointer::role);
  if (found == pointers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - pointers.begin());
}

}  // namespace sigwhy::diagnose
