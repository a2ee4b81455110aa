// What the parts of the guard share: the header that the supervisor reads, the thread's own few words, and how the
// whole starts, stops guarding, and goes through a fork.
#pragma once
#include "guard/raw.h"
#include "guard/wire.h"

namespace sigwhy::guard {

extern Header header;

// Where calls go that we do not guard. `unknown` until the first call of any hooked function.
enum class Route : u8 { unknown, c_library, other };
extern Route route;

// The program, or a library of it, has an operator new or delete of its own. The forms that it did not replace are the
// C++ library's then, which are made of those that it did.
extern bool operators_replaced;

struct SeenSite;

struct Thread {
  long countdown = 0;     // allocations until the next is looked at; stays 0 where all are
  long period = 0;        // what the countdown began with
  u32 busy = 0;           // inside the guard: whatever is asked for now goes past it
  u32 tid = 0;
  long counted_from = 0;  // the countdown when the header's counters were last brought up to date
  u64 allocated_bytes = 0;  // not yet added to them
  u64 readable_page = 0;  // of its stack, known to be there
  u64 readable_frames[16] = {};  // pages with Python frames, likewise
  u64 python_state = 0;  // PyThreadState* of this thread, as last seen
  u64 random = 0;
  u32 unseen = 0, look_after = 0;  // allocations without a look at their place, and how many may be
  SeenSite* chosen_at = nullptr;  // the place of the block that was chosen and is not yet recorded
};
extern constinit thread_local Thread thread __attribute__((tls_model("initial-exec")));

inline bool guards() { return header.mode != Mode::off; }
inline bool guards_all() { return header.mode == Mode::all || header.mode == Mode::before; }

class Busy {
 public:
  Busy() { ++thread.busy; }
  ~Busy() { --thread.busy; }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;
};

u32 thread_id();
u32 now_ms();

// xorshift; good enough to choose by.
u64 random_number();

void add_counts(u64 bytes);
void note_limit(u32 limit);
void after_fork_in_child();

inline void count(u64& counter, u64 by = 1) { __atomic_fetch_add(&counter, by, __ATOMIC_RELAXED); }
inline void discount(u64& counter, u64 by = 1) { __atomic_fetch_sub(&counter, by, __ATOMIC_RELAXED); }

}  // namespace sigwhy::guard
