// Which native frame ran which Python frames. A call of the interpreter's loop (`_PyEval_EvalFrameDefault`) runs one
// Python frame up to 3.10; since 3.11 a Python function that calls a Python function stays in the same call of the
// loop, so one native frame runs a whole run of them. Since 3.12 the loop keeps a shim among its own variables, whose
// address says which native frame it is. Before that both stacks list the calls in the same order, innermost first:
// they are counted off against each other by the loop's name, and where the counts do not fit nothing is said.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "evidence/gap.h"
#include "evidence/thread.h"
#include "python/frames.h"

namespace sigwhy::python {

// The runs of one thread's Python frames, innermost first.
class Runs {
 public:
  void frame() { ++frames_; }
  void end(std::optional<Address> on_stack = std::nullopt);
  void leave_out(const LeftOut& what);
  // The runs of frames further out that belong to the same thread.
  void append(const Runs& outer);

  struct Run {
    std::optional<PythonRun> frames;  // absent: they were left out
    std::optional<Address> on_stack;  // in the native frame that ran them
  };
  const std::vector<Run>& all() const { return all_; }
  bool whole() const { return !cut_; }
  std::size_t frames_left_out() const { return left_out_; }
  bool unfinished() const { return frames_ > begun_; }
  // Indices of the frames that C called.
  const std::vector<std::size_t>& entries() const { return entries_; }

 private:
  void close(std::optional<Address> on_stack);

  std::vector<Run> all_;
  std::vector<std::size_t> entries_;
  std::size_t frames_ = 0;  // seen so far
  std::size_t begun_ = 0;   // the first of the run that is under way
  std::size_t left_out_ = 0;
  bool cut_ = false;
};

// Sets Frame.python of the thread's native frames and PythonFrame.entry of its Python frames.
void merge(Thread& thread, const Runs& runs, std::string_view eval_loop, std::vector<Gap>& gaps);

}  // namespace sigwhy::python
