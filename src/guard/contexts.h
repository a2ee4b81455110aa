// Where calls came from. A context is 2 KiB of stack and costs a copy, so equal ones are kept once: equal is the same
// return address, the same code addresses on the stack and the same Python lines. Data on the stack differs each time
// and is left out of the comparison.
#pragma once
#include "guard/caller.h"
#include "guard/wire.h"

namespace sigwhy::guard {

bool make_contexts(u32 capacity, u32 in_use);

// The caller's context (Context::id), which now counts one record more that refers to it.
u64 keep_context(const Caller& caller);
void forget_context(u64 id);

void take_context_lock();
void release_context_lock();
void give_up_context_lock();

}  // namespace sigwhy::guard
