// The values of the dying thread that may be pointers, and where the fault was: what a grab looks around at.
#pragma once
#include <signal.h>
#include <sys/user.h>

#include <array>
#include <cstdint>
#include <span>

#include "capture/grab.h"
#include "capture/grab_guard.h"

namespace sigwhy::capture {

class Suspects {
 public:
  Suspects(const GrabRequest& r, const user_regs_struct& x)
      : values_{x.rax, x.rbx, x.rcx, x.rdx, x.rsi, x.rdi, x.rbp, x.r8, x.r9, x.r10, x.r11, x.r12, x.r13, x.r14, x.r15, x.rsp} {
    if (r.info && r.info->si_code > 0) values_[count] = reinterpret_cast<std::uint64_t>(r.info->si_addr);
    gave_up_ = r.info && r.info->si_signo == SIGABRT;
  }

  std::uint64_t fault() const { return values_[count]; }  // 0: none
  std::span<const std::uint64_t> registers() const { return std::span(values_).first(count - 1); }
  std::span<const std::uint64_t> all() const { return values_; }
  GuardRequest guard_request(const GrabRequest& r) const {
    return {.fault = fault(), .pointers = registers(), .sites = r.killed || gave_up_, .asked = r.guard_asked};
  }

 private:
  static constexpr std::size_t count = 16;
  std::array<std::uint64_t, count + 1> values_;
  bool gave_up_ = false;
};

}  // namespace sigwhy::capture
