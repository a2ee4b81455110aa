// Finding the CPython interpreter of a process through memory alone, and which layout it has.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "python/layout.h"
#include "target/memory.h"

namespace sigwhy::python {

// A file with code, mapped from its first byte on.
struct LoadedFile {
  Address base;
  std::string_view name;  // last component of its path
};

struct Interpreter {
  Layout layout;
  std::optional<Address> runtime;         // _PyRuntime, since 3.7
  std::optional<Address> current_thread;  // _PyThreadState_Current, before: whoever holds the GIL, or null
  std::optional<Address> head;            // before: the variable with the first interpreter
};

// "libpython3.9.so.1.0", "python2.7": worth asking for an interpreter. So is the program itself, the first file that
// is mapped: it may have one built in.
bool may_hold_interpreter(std::string_view name);
bool is_pypy(std::string_view name);

// In words, for a file that holds an interpreter which cannot be read; empty where it holds none.
std::string_view why_unreadable(const Memory& memory, const LoadedFile& file);

// Nothing where the file holds no interpreter, or one whose layout is unknown.
std::optional<Interpreter> interpreter_in(const Memory& memory, const LoadedFile& file);

}  // namespace sigwhy::python
