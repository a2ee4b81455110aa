#include "capture/system_calls.h"

#include <sys/syscall.h>

#include <algorithm>
#include <iterator>

namespace sigwhy::capture {

namespace {

struct SystemCall {
  int number;
  const char* name;
  bool unnoticed = false;
};

constexpr int futex_waitv = 449, epoll_pwait2 = 441;  // younger than some headers

// Unnoticed: the kernel answers ERESTARTSYS, ERESTARTNOHAND or ERESTART_RESTARTBLOCK inside, whatever the arguments.
constexpr SystemCall table[] = {
    {SYS_futex, "futex", true},
    {futex_waitv, "futex_waitv", true},
    {SYS_poll, "poll", true},
    {SYS_ppoll, "ppoll", true},
    {SYS_select, "select", true},
    {SYS_pselect6, "pselect6", true},
    {SYS_nanosleep, "nanosleep", true},
    {SYS_clock_nanosleep, "clock_nanosleep", true},
    // A traced parent is woken by its child's SIGCHLD even where it ignores that, and others with it.
    {SYS_wait4, "wait4"},
    {SYS_waitid, "waitid"},
    {SYS_pause, "pause", true},
    {SYS_rt_sigsuspend, "rt_sigsuspend", true},
    {SYS_flock, "flock", true},
    {SYS_fcntl, "fcntl", true},
    {SYS_msgrcv, "msgrcv", true},
    {SYS_msgsnd, "msgsnd", true},
    {SYS_read, "read"},
    {SYS_readv, "readv"},
    {SYS_pread64, "pread64"},
    {SYS_write, "write"},
    {SYS_writev, "writev"},
    {SYS_pwrite64, "pwrite64"},
    {SYS_fsync, "fsync"},
    {SYS_fdatasync, "fdatasync"},
    {SYS_openat, "openat"},
    {SYS_close, "close"},
    {SYS_ioctl, "ioctl"},
    {SYS_connect, "connect"},
    {SYS_accept, "accept"},
    {SYS_accept4, "accept4"},
    {SYS_recvfrom, "recvfrom"},
    {SYS_recvmsg, "recvmsg"},
    {SYS_recvmmsg, "recvmmsg"},
    {SYS_sendto, "sendto"},
    {SYS_sendmsg, "sendmsg"},
    {SYS_sendmmsg, "sendmmsg"},
    {SYS_epoll_wait, "epoll_wait"},
    {SYS_epoll_pwait, "epoll_pwait"},
    {epoll_pwait2, "epoll_pwait2"},
    {SYS_semop, "semop"},
    {SYS_semtimedop, "semtimedop"},
    {SYS_rt_sigtimedwait, "rt_sigtimedwait"},
    {SYS_io_getevents, "io_getevents"},
    {SYS_io_pgetevents, "io_pgetevents"},
    {SYS_io_uring_enter, "io_uring_enter"},
    {SYS_mq_timedreceive, "mq_timedreceive"},
    {SYS_mq_timedsend, "mq_timedsend"},
    {SYS_splice, "splice"},
    {SYS_sendfile, "sendfile"},
    {SYS_munmap, "munmap"},
    {SYS_mmap, "mmap"},
    {SYS_madvise, "madvise"},
    {SYS_clone, "clone"},
    {SYS_vfork, "vfork"},
};

const SystemCall* find(int number) {
  const auto found = std::find_if(std::begin(table), std::end(table), [&](const auto& c) { return c.number == number; });
  return found == std::end(table) ? nullptr : found;
}

}  // namespace

const char* system_call_name(int number) {
  const SystemCall* call = find(number);
  return call ? call->name : nullptr;
}

bool restarts_unnoticed(int number) {
  const SystemCall* call = find(number);
  return call && call->unnoticed;
}

}  // namespace sigwhy::capture
