#include "cli/error_line.h"

namespace sigwhy::cli {

std::string error_line(const Error& error) {
  auto line = "sigwhy: " + error.what;
  if (!error.cause.empty()) line += ": " + error.cause;
  if (!error.remedy.empty()) line += " (" + error.remedy + ")";
  return line;
}

}  // namespace sigwhy::cli
