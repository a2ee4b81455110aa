// The CPython interpreters that this machine has: pyenv's and the system's.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace sigwhy::python {

inline std::vector<std::string> interpreters() {
  std::vector<std::string> found;
  const char* home = std::getenv("HOME");
  const auto versions = std::filesystem::path(home ? home : "") / ".pyenv" / "versions";
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(versions, error))
    if (exists(entry.path() / "bin" / "python")) found.push_back(entry.path() / "bin" / "python");
  if (std::filesystem::exists("/usr/bin/python3")) found.push_back("/usr/bin/python3");
  return found;
}

// What a shell command wrote to stdout; empty where it failed.
inline std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[65536];
  for (std::size_t got; (got = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, got);
  return pclose(pipe) == 0 ? text : std::string();
}

}  // namespace sigwhy::python
