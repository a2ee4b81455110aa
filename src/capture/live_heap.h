// What glibc's malloc keeps of memory that was freed, and what it got from the system one block at a time, read from
// a process as it stands. native/heap_glibc reads the same structures later, from copies, to tell about one block;
// here they are only added up, without allocating. A heap that makes no sense gives less, never a loop.
#pragma once
#include <cstdint>
#include <span>

#include "target/memory.h"

namespace sigwhy::capture {

struct HeapFree {
  std::uint64_t main = 0, threads = 0;  // bytes
  bool cut_short = false;
};

// `libc_data` are bytes of libc's writable data, which lies at `at`.
HeapFree free_in_heaps(const Memory& memory, Address at, std::span<const std::byte> libc_data, Address main_heap);

// The heap of a thread begins with a reference to its state.
bool begins_thread_heap(const Memory& memory, Address start);

// How many bytes of [start, end) are blocks with a header that says "mapped by itself".
std::uint64_t mapped_chunk_bytes(const Memory& memory, Address start, Address end, std::uint32_t& reads_left);

}  // namespace sigwhy::capture
