// What kind of program a process has just exec'd, told by its file alone: one that must not be traced, or one that
// runs Python. Programs that trace others themselves must not be traced, as a process has one tracer at most: gdb
// below a fork-following tracer hangs; a healthy program with LeakSanitizer, which stops its own threads by ptrace
// when it ends, would exit 1. Found by what the file imports, so any debugger that goes through the C library is
// seen; one that makes the system call by itself (delve) is not, and needs --no-ptrace.
#pragma once
#include <sys/types.h>

namespace sigwhy::capture {

struct Program {
  const char* let_go = nullptr;  // the reason, for the gap; null: go on tracing
  bool runs_python = false;      // it is an interpreter, or needs a libpython from its start
};

Program program_of(pid_t pid);

// Why no library may be preloaded into the program in this file; null: one may. Loaders of others than glibc refuse a
// library that is made for glibc, and a sanitizer's runtime refuses to start where another library comes first.
const char* why_not_preloaded(int fd);

}  // namespace sigwhy::capture
