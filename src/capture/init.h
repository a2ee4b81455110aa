// As PID 1 of a container sigwhy stays as a small init: PID 1 must reap orphans, gets no default signals, and
// cannot die of a signal, so the program runs as its child and the exit status is translated.
#pragma once

namespace sigwhy::capture {

// Returns in the child that is to become the program; the parent never returns.
void become_init();

}  // namespace sigwhy::capture
