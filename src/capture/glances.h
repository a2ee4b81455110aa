// The sampler's reading of other processes. Whoever reads of a process, if only its size, keeps its memory from being
// freed until he is done: a worker that the kernel has killed for memory has then ended, its parent goes on in a group
// that is still full, and the kernel kills the parent too. So a killed process is let go only while nobody reads.
#pragma once
#include <atomic>

#include "target/memory.h"

namespace sigwhy::capture {

// Shared by supervisor and sampler; begins as zeros.
class Glances {
 public:
  // By the supervisor: none begins for a while. Waits for one under way, but not for one that itself waits for memory.
  void stop();

  // By the sampler.
  bool begin();
  void end() { under_way_.store(false); }
  bool stopped() const;

 private:
  std::atomic<bool> under_way_;
  std::atomic<double> stopped_until_s_;
};

// One of them, as long as it lives; false where none may begin.
class Glance {
 public:
  explicit Glance(Glances& glances) : glances_(glances), began_(glances.begin()) {}
  ~Glance() { if (began_) glances_.end(); }
  Glance(const Glance&) = delete;
  Glance& operator=(const Glance&) = delete;
  explicit operator bool() const { return began_; }

 private:
  Glances& glances_;
  bool began_;
};

// What a glance reads; a long one comes to its end as soon as it is asked to.
class GlancedMemory final : public Memory {
 public:
  GlancedMemory(const Memory& memory, const Glances& glances) : memory_(memory), glances_(glances) {}
  std::size_t read(Address from, std::span<std::byte> into) const override {
    return glances_.stopped() ? 0 : memory_.read(from, into);
  }

 private:
  const Memory& memory_;
  const Glances& glances_;
};

}  // namespace sigwhy::capture
