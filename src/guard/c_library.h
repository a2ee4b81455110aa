// The C library's own allocator, under the names that nobody interposes.
#pragma once
#include <cstddef>

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* p, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
void* __libc_valloc(std::size_t bytes);
void* __libc_pvalloc(std::size_t bytes);
void __libc_free(void* p);
}

namespace sigwhy::guard {

inline constexpr std::size_t chunk_is_mapped = 2;

// A block with a mapping of its own.
inline bool is_unmapped_by_free(const void* p) { return static_cast<const std::size_t*>(p)[-1] & chunk_is_mapped; }

// What malloc_usable_size says, which has no such name: from the chunk's head, as it has been since glibc 2.3.
inline std::size_t usable_bytes(const void* p) {
  if (!p) return 0;
  const std::size_t head = static_cast<const std::size_t*>(p)[-1];
  constexpr std::size_t flags = 7;
  return (head & ~flags) - (head & chunk_is_mapped ? 2 : 1) * sizeof(std::size_t);
}

}  // namespace sigwhy::guard
