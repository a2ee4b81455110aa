#include "capture/guard_preload.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string_view>

#include "base/owned_fd.h"
#include "capture/companion.h"
#include "capture/program.h"
#include "guard/wire.h"

namespace sigwhy::capture {

namespace {

constexpr const char* preload_variable = "LD_PRELOAD";

std::string variable(const char* name) {
  const char* value = getenv(name);
  return value ? value : "";
}

// As execvp looks for it.
std::string found_in_path(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const auto all = variable("PATH");
  for (std::string_view rest = all; !rest.empty();) {
    const auto folder = rest.substr(0, rest.find(':'));
    const auto path = (folder.empty() ? std::string(".") : std::string(folder)) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
  }
  return {};
}

// The interpreter that the first line of a script names; empty: it is no script.
std::string interpreter_of(int fd) {
  char line[256];
  const auto got = ::pread(fd, line, sizeof line, 0);
  if (got < 3 || line[0] != '#' || line[1] != '!') return {};
  const std::string_view text(line + 2, static_cast<std::size_t>(got - 2));
  const auto start = text.find_first_not_of(" \t");
  if (start == text.npos) return {};
  return std::string(text.substr(start, text.find_first_of(" \t\n", start) - start));
}

const char* refusal_of(const std::string& program) {
  OwnedFd fd(::open(found_in_path(program).c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return "its file cannot be read";
  if (const auto interpreter = interpreter_of(fd.get()); !interpreter.empty())
    fd = OwnedFd(::open(interpreter.c_str(), O_RDONLY | O_CLOEXEC));
  return fd ? why_not_preloaded(fd.get()) : "its interpreter's file cannot be read";
}

bool names_sanitizer(std::string_view preloads) {
  for (const auto name : {"libasan", "libtsan", "libmsan", "liblsan", "libclang_rt."})
    if (preloads.find(name) != preloads.npos) return true;
  return false;
}

}  // namespace

std::string preload_guard(const std::string& program, const std::string& mode) {
  const auto library = beside_companion(guard::library_name);
  if (library.empty()) return std::string(guard::library_name) + " is not where sigwhy is (install again)";
  if (library.find_first_of(": ") != library.npos) return "the path of sigwhy has a blank or a colon in it";
  const auto before = variable(preload_variable);
  if (names_sanitizer(before)) return "a sanitizer is preloaded, which brings its own heap";
  if (const char* why = refusal_of(program)) return why;
  setenv(preload_variable, (before.empty() ? library : before + ":" + library).c_str(), 1);
  setenv(guard::mode_variable, mode.c_str(), 1);
  return {};
}

std::vector<std::string> without_guard(std::vector<std::string> environment) {
  for (const char* own : {guard::mode_variable, guard::seed_variable, guard::fresh_variable})
    std::erase_if(environment, [&](const std::string& e) { return e.starts_with(std::string(own) + "="); });
  const std::string start = std::string(preload_variable) + "=";
  for (auto& e : environment) {
    if (!e.starts_with(start) || !e.ends_with(guard::library_name)) continue;
    // It was put at the end.
    const auto last = e.rfind(':');
    e.erase(last == std::string::npos ? 0 : last);
  }
  std::erase(environment, std::string());
  return environment;
}

}  // namespace sigwhy::capture
