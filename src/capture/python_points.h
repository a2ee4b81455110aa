// Where CPython passes on its way to an end. PyErr_PrintEx runs for every exception that nobody caught, SystemExit
// included, while its traceback still holds every frame and local; Py_FinalizeEx (Py_Finalize in 2.7) begins to
// take the interpreter apart. The addresses are read from the process's own memory: of an interpreter that is the
// executable as soon as it is mapped, of a shared libpython once the loader has done its work, which is when the
// program's entry point is reached.
#pragma once
#include <sys/types.h>

#include <optional>

#include "base/address.h"

namespace sigwhy::capture {

struct PythonPoints {
  Address print;     // PyErr_PrintEx
  Address finalize;  // 0: it has none
};

struct ProgramStart {
  Address base;   // of the executable
  Address entry;  // where the loader hands over
};

// From the auxiliary vector, right after an exec.
std::optional<ProgramStart> program_start(pid_t pid);
// In the file that is mapped at `base`.
std::optional<PythonPoints> python_points_at(pid_t pid, Address base);
// In any file of the process that is named like an interpreter.
std::optional<PythonPoints> python_points_in(pid_t pid);
// Is such a file mapped at all?
bool holds_interpreter(pid_t pid);

}  // namespace sigwhy::capture
