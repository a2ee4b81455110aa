// sigwhy-develop: every command but the running itself. The static front hands them over by exec.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>

#include "cli/dispatch.h"

int main(int argc, char** argv) {
  using namespace sigwhy::cli;
  Output output;
  int status = 1;
  try {
    status = dispatch({argv + 1, argv + argc}, output);
  } catch (const std::exception& e) {
    output.err += "sigwhy: internal error: " + std::string(e.what()) + "\n";
  }
  // A full disk: what was asked for is not there, whatever was found out.
  const bool written =
      std::fwrite(output.out.data(), 1, output.out.size(), stdout) == output.out.size() && std::fflush(stdout) == 0;
  if (!written) output.err += "sigwhy: cannot write what was asked for: " + std::string(std::strerror(errno)) + "\n";
  std::fwrite(output.err.data(), 1, output.err.size(), stderr);
  if (!written && status == 0) status = 1;
  return status;
}
