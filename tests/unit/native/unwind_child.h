// A program compiled for one test, run under ptrace until a fatal signal reaches it, and held there: its memory is
// read live. It is killed when the test lets go of it.
#pragma once
#include <string>
#include <vector>

#include "evidence/gap.h"
#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::test {

// Compiles C (or C++, by the name's ending) below the build directory; an empty path where that fails.
std::string compiled(const std::string& file_name, const std::string& source, const std::string& options);

class StoppedChild {
 public:
  explicit StoppedChild(const std::vector<std::string>& argv);
  StoppedChild(StoppedChild&&) = delete;
  ~StoppedChild();

  // No threads: it ended without a fatal signal.
  Target target;

 private:
  void grab(pid_t dying);
  pid_t pid_ = 0;
};

// The whole way: modules, stacks, names, and lines if wanted.
struct Stacks {
  std::vector<Module> modules;
  std::vector<Thread> threads;
  std::vector<Gap> gaps;

  std::vector<std::string> names(std::size_t thread = 0) const;
};
Stacks stacks_of(const Target& target, bool with_lines = false);

}  // namespace sigwhy::test
