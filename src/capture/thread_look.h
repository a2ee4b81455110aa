// What a thread of a living process is doing, seen without touching it: /proc/PID/task/TID/syscall names the system
// call it sleeps in, with its stack and instruction pointer.
//
// Stopping a sleeping thread ends its system call. Most calls are started again by the kernel and notice nothing
// (futex, poll, nanosleep). Others return EINTR to the program, a shorter count, or begin their timeout anew
// (epoll_wait, semtimedop, a socket with a timeout, sigtimedwait, a write to a full pipe). A thread in one of those
// is read without being stopped: while it sleeps its stack stands still, and its count of context switches tells
// whether it slept all the time.
#pragma once
#include <sys/types.h>

#include <cstdint>

namespace sigwhy::capture {

enum class Doing { gone, unknown, works, sleeps };

struct ThreadLook {
  pid_t tid = 0;
  pid_t inner_tid = 0;  // as its own pid namespace numbers it
  Doing doing = Doing::unknown;
  int system_call = -1;  // of a sleeping one; -1: none (a page fault, a stopped job)
  std::uint64_t first_argument = 0, second_argument = 0, fourth_argument = 0;
  std::uint64_t rsp = 0;
  std::uint64_t rip = 0;
  std::uint64_t switches = 0;

  bool same_sleep(const ThreadLook& other) const {
    return doing == Doing::sleeps && other.doing == Doing::sleeps && system_call == other.system_call &&
           rsp == other.rsp && rip == other.rip && switches == other.switches;
  }
};

ThreadLook look_at(pid_t pid, pid_t tid);

// Whether the program would notice that this thread was stopped.
bool must_not_be_stopped(pid_t pid, const ThreadLook& look);

// The same after several looks. One that is awake may be so inside such a call, on its way through the kernel, and
// asleep again the next moment.
struct Watched {
  ThreadLook look;
  bool was_delicate = false;  // was once seen asleep in a call that must not be interrupted
  bool was_at_work = false;   // at the look before

  void look_again(pid_t pid);
  // `last`: there will be no further look.
  bool may_be_stopped(bool last) const;

 private:
  bool is_delicate_ = false;
};

// For a stopped thread whose call was ended by the stop: let it begin again. Does nothing where a signal is about to
// be delivered (`delivered`, or one that waits) which would have ended the call anyway.
void undo_interruption(pid_t pid, pid_t tid, int delivered = 0);

// The thread's fs_base without stopping it, from the kernel's list of its robust mutexes, which glibc keeps at a
// fixed place in the thread's control block; 0: not glibc, or not to be had.
std::uint64_t thread_pointer(pid_t pid, pid_t tid);

// As ThreadRecord keeps it.
std::int32_t doing_code(const ThreadLook& look);

}  // namespace sigwhy::capture
