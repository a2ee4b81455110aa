// The memory of a living (traced) process: process_vm_readv, or /proc/PID/mem where that call is forbidden.
// Neither needs the process to be stopped; what is read from a running one may be torn.
#pragma once
#include <sys/types.h>

#include "base/owned_fd.h"
#include "target/memory.h"

namespace sigwhy {

class LiveMemory final : public Memory {
 public:
  explicit LiveMemory(pid_t pid) : pid_(pid) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;
  void read_pieces(std::span<const Address> from, std::span<const std::span<std::byte>> into,
                   std::span<bool> whole) const override;

 private:
  std::size_t read_by_file(Address from, std::span<std::byte> into) const;

  pid_t pid_;
  mutable OwnedFd file_;            // opened only after process_vm_readv was refused
  mutable bool call_refused_ = false;
};

}  // namespace sigwhy
