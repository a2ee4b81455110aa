// The memory a grab is written to: a memfd, so that the developing process can be handed the descriptor.
// The standby one is touched and locked in advance, because at an out-of-memory kill no page can be had.
#pragma once
#include <cstddef>
#include <span>

#include "base/owned_fd.h"

namespace sigwhy::capture {

class StandbyArena {
 public:
  // An arena without storage when the kernel refuses; then there is no grab.
  static StandbyArena make();
  // Touches a little more of it and locks it at the end; false when there is nothing left to do. In small steps,
  // because a program that has only just started must not wait for it.
  bool prepare_more();
  // What is in it is no longer in danger; the next one may be locked instead.
  void unlock();
  StandbyArena() = default;
  StandbyArena(StandbyArena&& other) noexcept;
  StandbyArena& operator=(StandbyArena&& other) noexcept;
  ~StandbyArena();

  std::span<std::byte> storage() const { return storage_; }
  int fd() const { return fd_.get(); }
  // It was ready in time and the kernel would not lock it.
  bool refused_lock() const { return !locked_ && prepared_ >= storage_.size(); }
  explicit operator bool() const { return !storage_.empty(); }

 private:
  OwnedFd fd_;
  std::span<std::byte> storage_;
  std::size_t prepared_ = 0;
  bool locked_ = false;
};

// Our own data, the grab's tables among it, some heap and stack, and the code that runs during a stop, all at once
// instead of page by page then: where memory is short, each page would wait for the very memory that is being freed.
// After the last fork, or copying on write undoes it. False: the kernel would not lock all of it.
bool lock_own_memory();

}  // namespace sigwhy::capture
