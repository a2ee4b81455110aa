// Texts that the dying program left in its own memory (or in a regular stderr file) and that say why.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"

namespace sigwhy {

enum class TextKind {
  abort_message,    // glibc's own: assertion, heap check, fortify, stack smashing
  failed_check,     // abseil/glog: "Check failed: ...", "Non-OK-status: ..."
  terminate,        // libstdc++: "terminate called ...", "pure virtual method called"
  python_fatal,     // "Fatal Python error: ..."
  protobuf_fatal,   // "[libprotobuf FATAL ...]"
  openmp_error,     // "OMP: Error #15: ..."
  stderr_tail,      // the end of a regular file that is the program's stderr, or what --tee kept
  other,
};

struct Text {
  TextKind kind = TextKind::other;
  std::string text;
  std::optional<Address> address;
};

// A C++ exception object found alive: thrown and not (or not yet) handled.
struct CppException {
  std::string type;  // demangled
  std::vector<std::string> bases;
  std::optional<std::string> what;  // absent where the text cannot be read without calling what()
  std::optional<Address> object;
};

}  // namespace sigwhy
