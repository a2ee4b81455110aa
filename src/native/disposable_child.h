// Work on hostile bytes that may crash or never end, done in a forked child. What the child wrote until its end
// counts; its death harms nothing, and a time limit is really kept.
#pragma once
#include <chrono>
#include <functional>
#include <string>

namespace sigwhy::native {

struct ChildOutput {
  std::string bytes;
  bool finished = false;   // the work came to its own end
  bool timed_out = false;  // else it crashed, or could not be started
};

// `work` writes to the descriptor it is given.
ChildOutput in_disposable_child(std::chrono::milliseconds limit, const std::function<void(int)>& work);

}  // namespace sigwhy::native
