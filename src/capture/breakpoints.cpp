#include "capture/breakpoints.h"

#include <fcntl.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace sigwhy::capture {

namespace {

constexpr std::size_t debug_registers = 4;
constexpr int hardware_breakpoint = 4;  // TRAP_HWBKPT

// A tree of many interpreters must not use up what the grab of a death needs.
int most_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  return static_cast<int>(std::clamp<rlim_t>(limit.rlim_cur / 2, 16, 1 << 20));
}

OwnedFd open_breakpoint(pid_t tid, Address at) {
  perf_event_attr wanted{};
  wanted.type = PERF_TYPE_BREAKPOINT;
  wanted.size = sizeof wanted;
  wanted.bp_type = HW_BREAKPOINT_X;
  wanted.bp_addr = at.value;
  wanted.bp_len = sizeof(long);
  wanted.sample_period = 1;
  wanted.exclude_kernel = 1;
  wanted.exclude_hv = 1;
  const OwnedFd low(static_cast<int>(syscall(SYS_perf_event_open, &wanted, tid, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!low) return OwnedFd();
  OwnedFd fd(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  const f_owner_ex owner{F_OWNER_TID, tid};
  static const int most = most_descriptors();
  if (!fd || fd.get() >= most) return OwnedFd();
  const bool signals = fcntl(fd.get(), F_SETOWN_EX, &owner) == 0 && fcntl(fd.get(), F_SETSIG, SIGURG) == 0 &&
                       fcntl(fd.get(), F_SETFL, O_ASYNC) == 0;
  return signals ? std::move(fd) : OwnedFd();
}

bool poke(pid_t tid, std::size_t number, std::uint64_t value) {
  return ptrace(PTRACE_POKEUSER, tid, offsetof(struct user, u_debugreg) + number * sizeof(long), value) == 0;
}

}  // namespace

Breakpoints::Breakpoints(ArmedThreads* undone) : undone_(undone) {
  const char* chosen = getenv("SIGWHY_TEST_BREAKPOINTS");
  const std::string_view only = chosen ? chosen : "";
  descriptors_refused_ = only == "registers" || only == "none";
  registers_refused_ = only == "descriptors" || only == "none";
}

bool Breakpoints::arm(pid_t tid, std::span<const Address> at, bool by_ptrace) {
  disarm(tid);
  if (at.empty() || at.size() > debug_registers) return false;
  Armed armed{.at = {at.begin(), at.end()}};
  const bool done = (!descriptors_refused_ && arm_by_descriptor(tid, armed)) ||
                    (by_ptrace && undone_ && !registers_refused_ && arm_by_ptrace(tid, armed));
  if (done) threads_[tid] = std::move(armed);
  return done;
}

bool Breakpoints::arm_by_descriptor(pid_t tid, Armed& armed) {
  for (const Address a : armed.at) {
    OwnedFd one = open_breakpoint(tid, a);
    if (!one) {
      armed.descriptors.clear();
      return false;
    }
    armed.descriptors.push_back(std::move(one));
  }
  return true;
}

bool Breakpoints::arm_by_ptrace(pid_t tid, const Armed& armed) {
  if (!undone_->add(tid)) return false;
  std::uint64_t enabled = 0;
  bool done = true;
  for (std::size_t i = 0; i < armed.at.size() && done; ++i) {
    done = poke(tid, i, armed.at[i].value);
    enabled |= std::uint64_t{1} << (2 * i);
  }
  done = done && poke(tid, 7, enabled);
  if (!done) {
    clear_debug_registers(tid);
    undone_->remove(tid);
  }
  return done;
}

void Breakpoints::disarm(pid_t tid) {
  const auto found = threads_.find(tid);
  if (found == threads_.end()) return;
  if (found->second.descriptors.empty()) clear_debug_registers(tid);
  forget(tid);
}

void Breakpoints::forget(pid_t tid) {
  if (threads_.erase(tid) && undone_) undone_->remove(tid);
}

void Breakpoints::disarm_all() {
  threads_.clear();
  if (undone_) undone_->clear_as_tracer();
}

std::vector<pid_t> Breakpoints::set_by_ptrace() const {
  std::vector<pid_t> found;
  for (const auto& [tid, armed] : threads_)
    if (armed.descriptors.empty()) found.push_back(tid);
  return found;
}

bool Breakpoints::is_set_by_ptrace(pid_t tid) const {
  const auto found = threads_.find(tid);
  return found != threads_.end() && found->second.descriptors.empty();
}

std::optional<Address> Breakpoints::hit(pid_t tid, const siginfo_t& info) const {
  const auto found = threads_.find(tid);
  if (found == threads_.end()) return std::nullopt;
  const Armed& armed = found->second;
  const bool by_descriptor = info.si_signo == SIGURG && info.si_code == POLL_IN &&
                             std::ranges::find(armed.descriptors, info.si_fd, &OwnedFd::get) != armed.descriptors.end();
  const bool by_register = info.si_signo == SIGTRAP && info.si_code == hardware_breakpoint && armed.descriptors.empty();
  user_regs_struct registers{};
  if ((!by_descriptor && !by_register) || ptrace(PTRACE_GETREGS, tid, nullptr, &registers) != 0) return std::nullopt;
  const bool here = std::ranges::find(armed.at, Address{registers.rip}) != armed.at.end();
  if (!here && by_register) return std::nullopt;
  return here ? Address{registers.rip} : Address{};
}

}  // namespace sigwhy::capture
