// Who sent SIGKILL? The process gets no chance to ask and waitpid does not say, but the kernel's tracepoint
// signal_generate fires in the sender's name: si_code 128 is the kernel itself, 0 or less a process. One event and one
// small ring per CPU, for root and CAP_PERFMON; it ends with its descriptors, whatever happens to us. SIGTERM is seen
// as well: it may be blocked, and then this is the only way to know when it came.
#pragma once
#include <sys/types.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "base/owned_fd.h"

namespace sigwhy::capture {

struct SentSignal {
  int signal = 0;
  int code = 0;
  pid_t sender = 0;  // in our process ids; 0: from outside of them
  pid_t target = 0;  // thread or process id
  double at_s = 0;   // monotonic
};

class KillWitness {
 public:
  enum class Absent { no, refused, too_many_cpus, other_pids };

  // Opens one more event; false when there is nothing left to do. In steps, because the kernel may take a while.
  bool open_more();
  // Takes in what is new. Neither opens nor allocates.
  void read_on();
  // The newest that reached the process or one of its threads: a second SIGKILL reaches nobody.
  const SentSignal* sent_to(pid_t process, std::span<const pid_t> threads, int signal) const;
  Absent absent() const { return absent_; }
  ~KillWitness();

 private:
  struct Ring {
    OwnedFd event;
    void* pages = nullptr;
  };
  bool find_tracepoint();
  bool open_ring(int cpu);
  void close_all(Absent why);
  void read_ring(const Ring& ring);
  void keep(std::span<const std::byte> sample);

  std::uint64_t tracepoint_ = 0;
  int cpus_ = 0;
  int next_cpu_ = 0;
  Absent absent_ = Absent::no;
  std::vector<Ring> rings_;
  std::array<SentSignal, 64> sent_{};
  std::size_t count_ = 0;
};

}  // namespace sigwhy::capture
