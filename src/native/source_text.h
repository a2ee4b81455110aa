// The source line itself, for the frames a reader looks at first. Only where the file is not younger than what was
// made from it: an edited file would show the wrong line.
#pragma once
#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

// Source files as the process saw them, each read once.
class SourceLines {
 public:
  explicit SourceLines(const Target& target) : target_(target) {}
  // Trimmed; a relative path is taken from the process's working directory.
  std::optional<std::string> line(const std::string& path, int number, time_t not_younger_than);
  // All of it; empty where it cannot be trusted.
  std::string_view text(const std::string& path, time_t not_younger_than);

 private:
  struct File {
    std::string text;
    time_t changed = 0;
  };
  const File& file(const std::string& path);

  const Target& target_;
  std::map<std::string, File> files_;
};

void add_source_text(const Target& target, const std::vector<Module>& modules, std::vector<Thread>& threads,
                     std::vector<PyException>& exceptions);

}  // namespace sigwhy::native
