// Who holds the interpreter's lock and who waits for it. The holder is written down in the interpreter; a waiter is
// known by the functions on its native stack.
#pragma once
#include "evidence/thread.h"
#include "python/frames.h"

namespace sigwhy::python {

GilState gil_state(const Thread& thread, const WalkedThread& state, std::string_view eval_loop);

}  // namespace sigwhy::python
