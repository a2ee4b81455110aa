#include "cli/terminal.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::cli {

namespace {

constexpr int usual_columns = 80;
constexpr int most_columns = 100;

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

int terminal_columns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  const int told = std::atoi(std::string(variable("COLUMNS")).c_str());
  return told > 0 ? told : usual_columns;
}

bool speaks_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(variable(name));
    if (value.empty()) continue;
    std::ranges::transform(value, value.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    return value.find("utf-8") != std::string::npos || value.find("utf8") != std::string::npos;
  }
  return false;
}

}  // namespace

report::Look look_for(int fd, Colour colour) {
  const bool terminal = ::isatty(fd) == 1;
  const bool welcome = terminal && variable("NO_COLOR").empty() && variable("TERM") != "dumb";
  const int columns = terminal ? terminal_columns(fd) : usual_columns;
  return {.columns = std::min(columns, most_columns),
          .source_columns = columns,
          .colour = colour == Colour::always || (colour == Colour::automatic && welcome),
          .unicode = speaks_utf8()};
}

std::string fresh_line(int fd, const report::Look&) {
  struct stat status {};
  // A line full of blanks wraps only if it did not begin at the left edge; the return then stands on a free line.
  if (::isatty(fd) == 1) return std::string(static_cast<std::size_t>(terminal_columns(fd) - 1), ' ') + " \r";
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return "\n";  // a pipe does not tell
  const OwnedFd file(::open(("/proc/self/fd/" + std::to_string(fd)).c_str(), O_RDONLY | O_CLOEXEC));
  char last = '\n';
  if (status.st_size > 0 && ::pread(file.get(), &last, 1, status.st_size - 1) != 1) return "\n";
  return last == '\n' ? "" : "\n";
}

}  // namespace sigwhy::cli
