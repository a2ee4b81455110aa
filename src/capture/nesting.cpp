#include "capture/nesting.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <string_view>

#include "base/owned_fd.h"

namespace sigwhy::capture {

namespace {

int tracer_of_self() {
  char text[4096];
  const OwnedFd fd(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), text, sizeof text - 1) : 0;
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* line = strstr(text, "TracerPid:");
  return line ? atoi(line + strlen("TracerPid:")) : 0;
}

}  // namespace

bool below_another_sigwhy() {
  const int tracer = tracer_of_self();
  if (!tracer) return false;
  char path[64], name[32] = "";
  snprintf(path, sizeof path, "/proc/%d/comm", tracer);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto size = fd ? ::read(fd.get(), name, sizeof name - 1) : 0;
  return std::string_view(name, size > 0 ? static_cast<std::size_t>(size) : 0) == "sigwhy\n";
}

}  // namespace sigwhy::capture
