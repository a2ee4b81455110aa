// Where the report goes: the stderr that `sigwhy run` was started with. It is not held open while the program
// runs, or a reader would wait for its end in vain when the program closes it; it is fetched back out of the dying
// root (pidfd_getfd), wherever that keeps it. Kernels before 5.6 cannot do that: there it is held.
#pragma once
#include <sys/types.h>

#include <string>

#include "base/owned_fd.h"

namespace sigwhy::capture {

class ReportPlace {
 public:
  // Remembers descriptor 2 and closes it, where it can be had back.
  void leave_to(pid_t root);
  // Puts it back as descriptor 2; does nothing where it was never left or cannot be found again.
  void adopt();
  // One line there, while the program runs; then it is left again.
  void say(const std::string& line);

 private:
  bool fetch(int fd);

  OwnedFd pidfd_;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  std::string path_;  // of a terminal or regular file, which can simply be opened again
  bool left_ = false;
};

}  // namespace sigwhy::capture
