// The memory of a living (traced) process: process_vm_readv, or /proc/PID/mem where that call is forbidden.
// Neither needs the process to be stopped; what is read from a running one may be torn. The call pins the pages it
// reads, and to pin one that is shared with a forked process the kernel makes a copy first: where there is no memory
// left, only the file will do.
#pragma once
#include <sys/types.h>

#include "base/owned_fd.h"
#include "target/memory.h"

namespace sigwhy {

class LiveMemory final : public Memory {
 public:
  explicit LiveMemory(pid_t pid) : pid_(pid) {}
  // Through a descriptor of /proc/PID/mem that stays the caller's; below 0: as above.
  LiveMemory(pid_t pid, int opened) : pid_(pid), opened_(opened), call_refused_(opened >= 0) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;
  void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                   std::span<bool> whole) const override;

 private:
  std::size_t read_by_file(Address from, std::span<std::byte> into) const;

  pid_t pid_;
  int opened_ = -1;
  mutable OwnedFd file_;            // opened only after process_vm_readv was refused
  mutable bool call_refused_ = false;
};

}  // namespace sigwhy
