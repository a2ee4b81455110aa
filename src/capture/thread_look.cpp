#include "capture/thread_look.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include <string_view>

#include "base/owned_fd.h"
#include "capture/system_calls.h"
#include "target/live.h"

namespace sigwhy::capture {

namespace {

constexpr long restart_without_eintr = 513;  // ERESTARTNOINTR, the kernel's own
// struct pthread of glibc on x86-64: the list head that set_robust_list was given, and the pointer to itself.
constexpr std::uint64_t robust_head_offset = 736;
constexpr std::uint64_t self_offset = 16;

// Reads a small file of a thread; the text ends with a NUL. False: the thread or the file is gone.
bool read_task_file(pid_t pid, pid_t tid, const char* name, char* text, std::size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task/%d/%s", pid, tid, name);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, room - 1) : -1;
  if (size <= 0) return false;
  text[size] = '\0';
  return true;
}

std::uint64_t number_behind(const char* text, const char* key, int base) {
  const char* line = strstr(text, key);
  return line ? strtoull(line + strlen(key), nullptr, base) : 0;
}

// Reading what is already there ends with a whole count or none; a descriptor of another kind may end shorter.
bool reads_all_or_nothing(pid_t pid, std::uint64_t fd) {
  char path[64], target[64];
  snprintf(path, sizeof path, "/proc/%d/fd/%lu", pid, static_cast<unsigned long>(fd));
  const auto size = ::readlink(path, target, sizeof target);
  const std::string_view kind(target, size > 0 ? static_cast<std::size_t>(size) : 0);
  return kind.starts_with("pipe:") || kind == "anon_inode:[eventfd]" || kind == "anon_inode:[timerfd]";
}

// "NSpid:\t4711\t17": the last is what the thread calls itself.
pid_t innermost_id(const char* status, pid_t otherwise) {
  const char* line = strstr(status, "\nNSpid:");
  if (!line) return otherwise;
  pid_t id = otherwise;
  char* rest = const_cast<char*>(line) + strlen("\nNSpid:");
  while (*rest == '\t' || *rest == ' ') id = static_cast<pid_t>(strtol(rest, &rest, 10));
  return id;
}

constexpr std::uint64_t bit_of(int signal) { return std::uint64_t{1} << (signal - 1); }

// Whether a signal is being delivered that would have ended the call without us. Those that a program ignores wake
// nobody up, unless it is traced.
bool signal_is_coming(pid_t pid, pid_t tid, int delivered) {
  char text[8192];
  if (!read_task_file(pid, tid, "status", text, sizeof text)) return true;
  auto coming = number_behind(text, "\nSigPnd:", 16) | number_behind(text, "\nShdPnd:", 16);
  coming &= ~number_behind(text, "\nSigBlk:", 16);
  if (delivered) coming |= bit_of(delivered);
  const auto without_effect = bit_of(SIGCHLD) | bit_of(SIGURG) | bit_of(SIGWINCH) | bit_of(SIGCONT);
  const auto caught = number_behind(text, "\nSigCgt:", 16);
  return coming & ~number_behind(text, "\nSigIgn:", 16) & ~(without_effect & ~caught);
}

}  // namespace

ThreadLook look_at(pid_t pid, pid_t tid) {
  ThreadLook look{.tid = tid, .inner_tid = tid};
  char text[8192];
  if (!read_task_file(pid, tid, "status", text, sizeof text)) {
    look.doing = Doing::gone;
    return look;
  }
  look.inner_tid = innermost_id(text, tid);
  look.switches = number_behind(text, "\nvoluntary_ctxt_switches:", 10) +
                  number_behind(text, "\nnonvoluntary_ctxt_switches:", 10);
  if (!read_task_file(pid, tid, "syscall", text, 256)) return look;
  if (strncmp(text, "running", 7) == 0) {
    look.doing = Doing::works;
    return look;
  }
  unsigned long rest[5] = {};
  const int fields = sscanf(text, "%d %lx %lx %lx %lx %lx %lx %lx %lx", &look.system_call, &look.first_argument, &rest[0],
                            &rest[1], &rest[2], &rest[3], &rest[4], &look.rsp, &look.rip);
  if (fields == 9) {
    look.second_argument = rest[0];
    look.fourth_argument = rest[2];
    look.doing = Doing::sleeps;
  } else if (fields == 3 && look.system_call == -1) {
    look.rsp = look.first_argument;
    look.rip = rest[0];
    look.doing = Doing::sleeps;
  }
  return look;
}

bool must_not_be_stopped(pid_t pid, const ThreadLook& look) {
  if (look.doing != Doing::sleeps || look.system_call < 0) return false;
  if (restarts_unnoticed(look.system_call)) return false;
  return look.system_call != SYS_read || !reads_all_or_nothing(pid, look.first_argument);
}

void Watched::look_again(pid_t pid) {
  was_at_work = look.doing == Doing::works;
  was_delicate = was_delicate || is_delicate_;
  look = look_at(pid, look.tid);
  is_delicate_ = must_not_be_stopped(pid, look);
}

bool Watched::may_be_stopped(bool last) const {
  if (look.doing == Doing::gone || is_delicate_) return false;
  return look.doing != Doing::works || (!was_delicate && (was_at_work || last));
}

void undo_interruption(pid_t pid, pid_t tid, int delivered) {
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, tid, nullptr, &registers) != 0) return;
  const auto call = static_cast<long>(registers.orig_rax);
  // close may have done its work and say EINTR all the same
  if (call < 0 || call == SYS_close || static_cast<long>(registers.rax) != -EINTR ||
      signal_is_coming(pid, tid, delivered)) return;
  registers.rax = static_cast<unsigned long>(-restart_without_eintr);
  ptrace(PTRACE_SETREGS, tid, nullptr, &registers);
}

std::uint64_t thread_pointer(pid_t pid, pid_t tid) {
  void* head = nullptr;
  std::size_t size = 0;
  if (syscall(SYS_get_robust_list, tid, &head, &size) != 0 || !head) return 0;
  const auto found = reinterpret_cast<std::uint64_t>(head) - robust_head_offset;
  const auto self = LiveMemory(pid).read_value<std::uint64_t>(Address{found + self_offset});
  return self == found ? found : 0;
}

std::int32_t doing_code(const ThreadLook& look) {
  if (look.doing == Doing::works) return 1;
  return look.doing == Doing::sleeps && look.system_call >= 0 ? 2 + look.system_call : 0;
}

}  // namespace sigwhy::capture
