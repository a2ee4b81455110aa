#include "experiment/start_up.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/owned_fd.h"

namespace sigwhy::experiment {

namespace {

// Python 2.7 reads it too. The folder leaves sys.path before anything of the program runs, and stays in the
// environment for the program's own children. A sitecustomize of the user's is found where it would have been.
constexpr const char* site_code = R"(import os, sys
_folder = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [p for p in sys.path if os.path.abspath(p or '.') != _folder]
def _note(text):
    try:
        with open(os.path.join(_folder, 'mark'), 'a') as mark:
            mark.write(text)
    except Exception:
        pass
try:
    with open(os.path.join(_folder, 'start_up_code')) as _file:
        exec(compile(_file.read(), 'start_up_code', 'exec'), {'__name__': 'start_up_code', 'note': _note})
    _note('')
except BaseException as _error:
    _note('%s: %s\n' % (type(_error).__name__, _error))
_own = sys.modules.pop('sitecustomize', None)
try:
    import sitecustomize
except ImportError as _error:
    sys.modules['sitecustomize'] = _own
    if 'sitecustomize' not in str(_error):
        raise
)";

Result<void> write_file(const std::string& path, const std::string& text) {
  const OwnedFd fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (fd && ::write(fd.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size())) return {};
  return std::unexpected(errno_error("cannot write " + path, errno));
}

}  // namespace

Result<StartUp> write_start_up(const std::string& parent, const std::string& code) {
  const StartUp start_up{parent + "/start_up", parent + "/start_up/mark"};
  if (::mkdir(start_up.folder.c_str(), 0700) != 0)
    return std::unexpected(errno_error("cannot make " + start_up.folder, errno));
  if (auto wrote = write_file(start_up.folder + "/sitecustomize.py", site_code); !wrote) return std::unexpected(wrote.error());
  if (auto wrote = write_file(start_up.folder + "/start_up_code", code); !wrote) return std::unexpected(wrote.error());
  return start_up;
}

bool start_up_ran(const StartUp& start_up, std::string& why) {
  const OwnedFd fd(::open(start_up.mark.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) {
    why = "no Python took the start-up code (python -S, -E or -I, or no Python at all)";
    return false;
  }
  char text[1000];
  const auto size = ::read(fd.get(), text, sizeof text);
  if (size <= 0) return true;
  why = "the start-up code failed: " + std::string(text, static_cast<std::size_t>(size));
  if (const auto end = why.find('\n'); end != why.npos) why.resize(end);
  return false;
}

}  // namespace sigwhy::experiment
