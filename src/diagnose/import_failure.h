// A compiled module that could not be loaded, in the words of the dynamic loader or of the module's own check.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct ImportFailure {
  std::size_t exception = 0;
  std::string module;          // the file that could not be loaded, where it is told
  std::string symbol;          // an undefined one
  std::string version;         // a missing one: "GLIBCXX_3.4.30"
  std::string provider;        // the library that lacks it
  bool sizes_changed = false;  // compiled for another layout of an object: "numpy.dtype size changed"
  bool numpy_major = false;    // compiled for NumPy 1, run with NumPy 2, or the other way round
  bool wrong_machine = false;  // for another kind of CPU
  // Both sides where the message names them: "NumPy 1.x" and "NumPy 2.0.0", "one whose numpy.dtype has 96 bytes" and
  // "where it has 88".
  std::string built_for, runs_with;
};

std::optional<ImportFailure> import_failure(const Facts& facts);

// LD_LIBRARY_PATH and LD_PRELOAD put libraries in front of those a program was built with.
std::optional<std::string> library_override(const Facts& facts);

}  // namespace sigwhy::diagnose
