// A module that was not found, or was not the one that was meant, and what lies on the disk instead.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

// "..cpython-313-x86_64-linux-gnu.so" -> "3.13": the interpreter that the file's name states.
std::string python_in_name(std::string_view file);

// Where an import found nothing, a build of that very module for another Python, and none that fits this one.
struct OtherPython {
  std::size_t exception = 0, input = 0;
  std::string built_for, runs;  // "3.11", "3.9"
};
std::optional<OtherPython> other_python(const Facts& facts);

// A file of the program's own that an import takes for an installed module.
struct HiddenModule {
  std::string name;
  std::size_t own = 0, installed = 0;  // inputs
  bool told = false;                   // Python names the program's own file
};
std::optional<HiddenModule> hidden_module(const Facts& facts);

}  // namespace sigwhy::diagnose
