// System calls that a thread may sleep in: their names, and whether the kernel starts them again by itself after a
// stop, so that the program notices nothing. Those that are not named here are taken to be noticed.
#pragma once

namespace sigwhy::capture {

// Null: a call that hardly anything sleeps in.
const char* system_call_name(int number);

// The call goes on after a stop as if nothing had been, its timeout included.
bool restarts_unnoticed(int number);

}  // namespace sigwhy::capture
