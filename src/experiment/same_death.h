// Did a re-run die in the way of the case? A crash that moves a little is still the same one: damage to memory shows
// as SIGSEGV today and as the C library's abort tomorrow. A death that is clearly another one, an exit status that
// nobody asked for or a run that never ended is neither a death nor a survival, and is not counted.
#pragma once
#include <string>

#include "evidence/case.h"
#include "experiment/trial.h"

namespace sigwhy::experiment {

enum class End { died, survived, otherwise };

End end_of(const Case& before, const Trial& trial);

// "exited with 3", "was killed by SIGKILL", "did not end in time"
std::string how_it_ended(const Trial& trial);

// A bad access to memory or damage done by one: the causes that pass for one another.
bool is_memory_fault(Cause cause);

// The innermost line or function of the user's own code at the death; empty: none is known.
std::string own_place(const Snapshot& snapshot);

}  // namespace sigwhy::experiment
