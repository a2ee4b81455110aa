// Which signals end a program, and what a process does about one: the only question that tells a fault the
// program lives through (the JVM, Go, a test of faulthandler) from its death.
#pragma once
#include <sys/types.h>

#include <cstdint>

namespace sigwhy::capture {

// Ends the process when nothing is done about it.
bool deadly_by_default(int signal);
// Does nothing when nothing is done about it.
bool ignored_by_default(int signal);
// Raised by the CPU or by the program itself at the place of the mistake.
bool tells_a_place(int signal);
// "SIGSEGV".
const char* signal_name(int signal);

enum class Disposition { deadly, caught, ignored, unknown };

// From SigCgt and SigIgn in /proc/PID/status. The kernel has already reset a handler it cannot call (a blocked
// fault), so at the signal stop this is what will happen.
Disposition disposition(pid_t pid, int signal);

}  // namespace sigwhy::capture
