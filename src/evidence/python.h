// The Python side of a process: what a user knows as train.py:57.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace sigwhy {

struct PythonFrame {
  std::string file;
  std::string function;
  std::optional<int> line;
  std::optional<int> column;
  std::optional<std::string> text;  // the line itself, where the file is unchanged since the program started
};

struct PyInterpreter {
  std::string version;
  std::uint64_t threads = 0;
};

}  // namespace sigwhy
