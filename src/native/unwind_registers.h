// The registers that unwinding needs, in DWARF's own numbering for x86-64 (rdx before rcx, rip last).
#pragma once
#include <sys/user.h>

#include <array>
#include <cstdint>

#include "base/address.h"

namespace sigwhy::native {

struct UnwindRegisters {
  static constexpr std::size_t rbp = 6, rsp = 7, rip = 16, count = 17;
  std::array<std::uint64_t, count> values{};

  Address pc() const { return {values[rip]}; }
  Address sp() const { return {values[rsp]}; }
  Address bp() const { return {values[rbp]}; }
};

inline UnwindRegisters unwind_registers(const user_regs_struct& r) {
  return {{r.rax, r.rdx, r.rcx, r.rbx, r.rsi, r.rdi, r.rbp, r.rsp, r.r8, r.r9, r.r10, r.r11, r.r12, r.r13, r.r14, r.r15,
           r.rip}};
}

}  // namespace sigwhy::native
