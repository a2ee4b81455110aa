// Where the main thread of a Python program stands, and the integers of the user's own code there, read while it runs
// on: nothing is stopped, so what is read may be torn. It is believed only where the same frame and the same objects
// are still there afterwards; a look that failed is simply none.
#pragma once
#include <sys/types.h>

#include <memory>
#include <optional>

#include "capture/run_record.h"
#include "python/interpreter.h"
#include "target/live.h"
#include "target/page_cache.h"

namespace sigwhy::capture {

class PythonLook {
 public:
  explicit PythonLook(RunRecord& record) : record_(record) {}

  // At the process `pid`, which has called exec `execs` times. `at_s` is what the record will say.
  void look(pid_t pid, std::uint32_t execs, double at_s);
  const std::optional<python::Interpreter>& interpreter() const { return interpreter_; }

 private:
  bool find_interpreter(pid_t pid);
  void note(double at_s);
  void note_integer(std::string_view name, std::int64_t value, double at_s);
  RecordedStep& step_for(std::string_view name);

  RunRecord& record_;
  pid_t pid_ = 0;
  std::uint32_t execs_ = 0;
  double next_search_s_ = 0, search_pause_s_ = 0;
  LiveMemory memory_{0};
  std::unique_ptr<PageCache> pages_;  // large: not on the small stack of a thread; made once, in a full group it could not be had
  std::optional<python::Interpreter> interpreter_;
  RecordedLine seen_{};
};

}  // namespace sigwhy::capture
