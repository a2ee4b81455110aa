#include "inventory/version_of_program.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>

#include "inventory/files.h"
#include "native/disposable_child.h"

namespace sigwhy::inventory {

std::string version_of_program(const std::string& python) {
  const auto said = native::in_disposable_child(std::chrono::milliseconds(1500), [&](int out) {
    ::dup2(out, STDOUT_FILENO);
    if (const int nowhere = ::open("/dev/null", O_RDWR); nowhere >= 0) {
      ::dup2(nowhere, STDIN_FILENO);
      ::dup2(nowhere, STDERR_FILENO);
    }
    // Python 2 has no -I.
    ::execl(python.c_str(), python.c_str(), "-E", "-s", "-S", "-c",
            "import sys; sys.stdout.write('.'.join(map(str, sys.version_info[:3])))", nullptr);
  });
  const auto text = stripped(said.bytes);
  return text.size() < 20 && text.find_first_not_of("0123456789.") == text.npos ? std::string(text) : std::string();
}

}  // namespace sigwhy::inventory
