// sigwhy-develop: every command but the running itself. The static front hands them over by exec.
#include <cstdio>
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
  std::fwrite(output.out.data(), 1, output.out.size(), stdout);
  std::fwrite(output.err.data(), 1, output.err.size(), stderr);
  if (std::fflush(stdout) != 0 && status == 0) status = 1;
  return status;
}
