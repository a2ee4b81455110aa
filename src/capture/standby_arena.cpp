#include "capture/standby_arena.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <utility>

// The linker's names for the ends of our data, and those that src/cli/stop_code.ld gives.
extern "C" {
extern char __executable_start;
extern char etext;
extern char __init_array_start;  // from here on: tables of virtual functions, then data
extern char _end;
[[gnu::weak]] extern char sigwhy_stop_code;
[[gnu::weak]] extern char sigwhy_stop_code_end;
[[gnu::weak]] extern char sigwhy_stop_constants;
[[gnu::weak]] extern char sigwhy_stop_constants_end;
}

namespace sigwhy::capture {

namespace {

// With the supervisor's own pages no more than 6 MiB, of the 8 that an ordinary user may lock (RLIMIT_MEMLOCK).
constexpr std::size_t arena_bytes = 2400u << 10;
constexpr std::size_t heap_bytes = 128u << 10;
constexpr std::size_t stack_bytes = 160u << 10;
constexpr std::size_t step_bytes = 128u << 10;
constexpr int populate_read = 22;   // MADV_POPULATE_READ
constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, since Linux 5.14; refused before

bool lock(const void* from, const void* to) {
  const auto start = reinterpret_cast<std::uintptr_t>(from) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(to);
  return start == 0 || end <= start || mlock(reinterpret_cast<void*>(start), end - start) == 0;
}

// What is freed stays ours: the next to ask gets pages that are there.
bool lock_heap() {
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 16 << 20);
  char* room = static_cast<char*>(malloc(heap_bytes));
  if (!room) return false;
  memset(room, 1, heap_bytes);
  free(room);
  // In a static program the thread's own variables lie at the start of the heap.
  return lock(__builtin_thread_pointer(), sbrk(0));
}

[[gnu::noinline]] bool lock_stack() {
  volatile char room[stack_bytes];
  for (std::size_t at = 0; at < stack_bytes; at += 4096) room[at] = 1;
  return lock(const_cast<char*>(room), const_cast<char*>(room) + stack_bytes);
}

// The file size limit (ulimit -f) holds for a memfd too; a small grab is better than none.
std::size_t allowed_bytes() {
  rlimit limit{};
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur >= arena_bytes) return arena_bytes;
  return limit.rlim_cur & ~rlim_t{4095};
}

}  // namespace

StandbyArena StandbyArena::make() {
  StandbyArena arena;
  const OwnedFd low(memfd_create("sigwhy-arena", MFD_CLOEXEC));
  const std::size_t bytes = allowed_bytes();
  if (!low || bytes == 0 || ftruncate(low.get(), static_cast<off_t>(bytes)) != 0) return arena;
  arena.fd_ = OwnedFd(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena.fd_.get(), 0);
  if (at == MAP_FAILED) return {};
  arena.storage_ = {static_cast<std::byte*>(at), bytes};
  return arena;
}

bool StandbyArena::prepare_more() {
  if (prepared_ >= storage_.size()) return false;
  const auto end = std::min(prepared_ + step_bytes, storage_.size());
  for (; prepared_ < end; prepared_ += 4096) *static_cast<volatile std::byte*>(storage_.data() + prepared_) = std::byte{0};
  if (prepared_ >= storage_.size()) locked_ = mlock(storage_.data(), storage_.size()) == 0;
  return prepared_ < storage_.size();
}

void StandbyArena::unlock() {
  if (std::exchange(locked_, false)) munlock(storage_.data(), storage_.size());
}

StandbyArena::StandbyArena(StandbyArena&& other) noexcept
    : fd_(std::move(other.fd_)),
      storage_(std::exchange(other.storage_, {})),
      prepared_(other.prepared_),
      locked_(other.locked_) {}

StandbyArena& StandbyArena::operator=(StandbyArena&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(storage_, other.storage_);
  std::swap(prepared_, other.prepared_);
  std::swap(locked_, other.locked_);
  return *this;
}

StandbyArena::~StandbyArena() {
  if (!storage_.empty()) munmap(storage_.data(), storage_.size());
}

bool lock_own_memory() {
  const auto start = reinterpret_cast<std::uintptr_t>(&__init_array_start) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(&_end);
  madvise(reinterpret_cast<void*>(start), end - start, populate_write);
  // The rest of the code is not locked, but there.
  madvise(&__executable_start, static_cast<std::size_t>(&etext - &__executable_start), populate_read);
  const bool code = lock(&sigwhy_stop_code, &sigwhy_stop_code_end) && lock(&sigwhy_stop_constants, &sigwhy_stop_constants_end);
  return lock(&__init_array_start, &_end) && code && lock_heap() && lock_stack();
}

}  // namespace sigwhy::capture
