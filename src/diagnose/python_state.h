// The interpreter's thread state is NULL in a thread that does not hold the GIL. Every function that touches it
// then faults a little above null, which looks like a null pointer and is none of the program's pointers.
#pragma once
#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct NullThreadState {
  bool reads_it = false;        // the innermost function is known to read the thread state
  bool translating = false;     // a C++ exception was being turned into a Python one
  bool without_python = false;  // no Python code is on this thread's stack
  bool foreign_call = false;    // below a call that releases the GIL (ctypes)
};

// A fault a little above null inside the interpreter, with what surrounds it.
std::optional<NullThreadState> null_thread_state(const Facts& facts);

// The frame of Python's C API in a thread that Python does not know: every thread state belongs to another thread, so that
// this one cannot hold the GIL.
std::optional<std::size_t> api_of_unknown_thread(const Facts& facts);

// An exception that nothing caught, or that was being translated without the GIL: index into exceptions.
std::optional<std::size_t> escaped_exception(const Facts& facts);
// libstdc++ says so itself.
std::optional<std::size_t> terminate_text(const Facts& facts);

}  // namespace sigwhy::diagnose
