// A Python interpreter seen from its files: version, prefixes and the folders in which it looks for modules. It is not
// started, unless its version can be read nowhere; then only to say its version, isolated and without site.
//
// Which folders count is decided by site.py: a virtual environment has a pyvenv.cfg beside its bin folder and takes the
// standard library from `home`; Debian's Python has dist-packages instead of site-packages; lines of .pth files add
// folders, or run code, of which we only know that it runs.
#pragma once
#include <string>
#include <vector>

#include "inventory/command.h"
#include "inventory/requirement.h"

namespace sigwhy::inventory {

struct Interpreter {
  std::string path;            // as it would be started
  std::string implementation;  // "cpython", "pypy"
  std::string version;         // "3.11.7"; "3.11" where the rest is unknown
  int major = 0, minor = 0;    // 0: unknown
  std::string prefix;
  std::string base_prefix;     // where the standard library is; the same outside a virtual environment
  bool virtual_environment = false;
  bool conda = false;

  // sys.path, without the script's own folder.
  std::vector<std::string> from_variable;  // PYTHONPATH
  std::vector<std::string> standard;
  std::vector<std::string> site;           // with what .pth files add
  std::vector<std::string> code_at_start;  // .pth files with code that may change what can be imported

  bool known() const { return major > 0; }
};

Interpreter read_interpreter(const PlannedCommand& command, const Surroundings& around);

// For markers of requirements.
MarkerValues marker_values(const Interpreter& interpreter);

}  // namespace sigwhy::inventory
