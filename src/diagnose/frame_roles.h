// What a frame does, read off its function's name, and what kind of file it lies in. The tables are data: a
// new allocator or interpreter entry is a line, not a branch.
#pragma once
#include <string_view>

#include "evidence/finding.h"
#include "evidence/memory.h"

namespace sigwhy::diagnose {

enum class Role {
  other,
  heap,           // malloc, free and what lies below them
  python_heap,    // the interpreter's own allocator and its garbage collector
  bulk_copy,      // memcpy, memset, strlen, ...
  giving_up,      // abort, raise, __assert_fail, std::terminate and what they call
  cpp_terminate,  // std::terminate and its handlers
  assertion,      // a function whose only job is to report a failed check
  stack_check,    // __stack_chk_fail
  fortify,        // __chk_fail and kin
  python_fatal,   // Py_FatalError and kin
  translator,     // turns a C++ exception into a Python one
  thread_state,   // reads the interpreter's thread state
  python_eval,    // runs Python code
  callback,       // C calls back into Python (ctypes)
  foreign_call,   // Python calls C (ctypes, cffi), usually with the GIL released
  thread_start,
  initialiser,  // static initialisers under dlopen or start-up
};

// What kind of file a frame lies in.
enum class Family {
  program,
  user,
  extension,
  framework,
  python,
  bridge,  // from Python to C and back: ctypes, cffi, libffi
  libc,
  loader,
  cpp_runtime,
  system,
  kernel,
  unknown
};

Role role_of(std::string_view bare_name, Family family);

// free, realloc, operator delete: gives a block back.
bool gives_back(std::string_view bare_name);

Family family_of(const Module& module);
Whose whose_of(Family family);

// Part of every process and never to blame for what it was handed: C library, loader, C++ runtime.
bool is_runtime(Family family);

}  // namespace sigwhy::diagnose
