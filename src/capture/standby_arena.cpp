#include "capture/standby_arena.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstdint>
#include <utility>

// The linker's own names for the ends of what has no initial value.
extern "C" {
extern char __bss_start;
extern char _end;
}

namespace sigwhy::capture {

namespace {

// Under the 8 MiB that an ordinary user may lock (RLIMIT_MEMLOCK), with room for the supervisor's own pages.
constexpr std::size_t arena_bytes = 5u << 20;
constexpr std::size_t step_bytes = 128u << 10;
constexpr int populate_write = 23;  // MADV_POPULATE_WRITE, since Linux 5.14; refused before

}  // namespace

StandbyArena StandbyArena::make() {
  StandbyArena arena;
  const OwnedFd low(memfd_create("sigwhy-arena", MFD_CLOEXEC));
  if (!low || ftruncate(low.get(), arena_bytes) != 0) return arena;
  arena.fd_ = OwnedFd(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  void* at = mmap(nullptr, arena_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, arena.fd_.get(), 0);
  if (at == MAP_FAILED) return {};
  arena.storage_ = {static_cast<std::byte*>(at), arena_bytes};
  return arena;
}

bool StandbyArena::prepare_more() {
  if (prepared_ >= storage_.size()) return false;
  const auto end = std::min(prepared_ + step_bytes, storage_.size());
  for (; prepared_ < end; prepared_ += 4096) *static_cast<volatile std::byte*>(storage_.data() + prepared_) = std::byte{0};
  if (prepared_ >= storage_.size()) locked_ = mlock(storage_.data(), storage_.size()) == 0;
  return prepared_ < storage_.size();
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

void take_static_memory() {
  const auto start = reinterpret_cast<std::uintptr_t>(&__bss_start) & ~std::uintptr_t{4095};
  const auto end = reinterpret_cast<std::uintptr_t>(&_end);
  madvise(reinterpret_cast<void*>(start), end - start, populate_write);
}

}  // namespace sigwhy::capture
