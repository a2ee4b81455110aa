// Who called the allocator: its registers as they will be when the call returns. enter.cpp pushes them in this order.
#pragma once
#include "guard/raw.h"

namespace sigwhy::guard {

struct Caller {
  u64 bp, bx, r12, r13, r14, r15;
  u64 pc;  // the return address
  u64 sp() const { return reinterpret_cast<u64>(this + 1); }
};
static_assert(sizeof(Caller) == 56);

}  // namespace sigwhy::guard
