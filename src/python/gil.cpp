#include "python/gil.h"

#include <algorithm>

namespace sigwhy::python {

namespace {

// Those that do nothing for long but take the lock. All but the first are exported, so that a stripped interpreter
// names them too.
constexpr std::string_view takers[] = {"take_gil", "PyEval_RestoreThread", "PyEval_AcquireThread", "PyEval_AcquireLock",
                                       "PyGILState_Ensure", "_PyThreadState_Attach"};
// What the interpreter itself waits on: its own locks are semaphores, only the GIL is a condition.
constexpr std::string_view waits_on_condition[] = {"pthread_cond_timedwait", "pthread_cond_clockwait"};

bool is_one_of(const Frame& frame, std::span<const std::string_view> names) {
  if (!frame.symbol) return false;
  const auto name = std::string_view(*frame.symbol).substr(0, frame.symbol->find_first_of(".@"));
  return std::ranges::find(names, name) != names.end();
}

bool is_loop(const Frame& frame, std::string_view eval_loop) {
  return frame.python || (frame.symbol && frame.symbol->starts_with(eval_loop));
}

// A stripped interpreter names nothing between its loop and the wait.
bool is_nameless_wait(const Thread& thread, std::size_t at, std::optional<std::uint64_t> interpreter) {
  if (!is_one_of(thread.frames[at], waits_on_condition) || at + 1 == thread.frames.size()) return false;
  const Frame& caller = thread.frames[at + 1];
  return !caller.symbol && caller.module && caller.module == interpreter;
}

// 2.7's loop takes a plain lock itself, and no other.
bool loop_takes_lock(const Thread& thread, std::size_t at, std::string_view eval_loop) {
  return thread.frames[at].symbol == "PyThread_acquire_lock" && at + 1 < thread.frames.size() &&
         is_loop(thread.frames[at + 1], eval_loop);
}

// From the innermost frame out to the Python code.
bool waits(const Thread& thread, std::string_view eval_loop) {
  const auto loop = std::ranges::find_if(thread.frames, [&](const Frame& f) { return is_loop(f, eval_loop); });
  const auto interpreter = loop == thread.frames.end() ? std::nullopt : loop->module;
  for (std::size_t i = 0; i < thread.frames.size() && !is_loop(thread.frames[i], eval_loop); ++i)
    if (is_one_of(thread.frames[i], takers) || is_nameless_wait(thread, i, interpreter) ||
        loop_takes_lock(thread, i, eval_loop))
      return true;
  return false;
}

}  // namespace

GilState gil_state(const Thread& thread, const WalkedThread& state, std::string_view eval_loop) {
  if (!state.holds_gil) return GilState::unknown;
  if (*state.holds_gil) return GilState::holds;
  return waits(thread, eval_loop) ? GilState::waits : GilState::released;
}

}  // namespace sigwhy::python
