// The Python lines that the calling thread is in: of each frame the code object and the instruction, as they stand
// there. Names and lines are found from them by the supervisor, when they are wanted at all.
//
// The thread state is the thread's own, so nothing moves while we read and no GIL is needed. Its offsets come from the
// layouts of src/python (build/generated/guard/python_offsets.inc) or, since 3.13, from the interpreter itself.
#pragma once
#include "guard/raw.h"
#include "guard/wire.h"

namespace sigwhy::guard {

// Once, at the start: all libraries of the program are linked by then.
void find_python();

// Innermost first, at most python_frames_kept; 0 where there is no Python, or none that is known.
u16 python_frames(PythonFrame* into);

}  // namespace sigwhy::guard
