// Who waits for the interpreter's lock, told from the names on a native stack.
#include "python/gil.h"

#include <gtest/gtest.h>

namespace sigwhy::python {

namespace {

constexpr std::string_view loop = "_PyEval_EvalFrameDefault";
constexpr std::uint64_t libc = 0, python = 1;

Frame frame(std::optional<std::string> symbol, std::uint64_t module = python) {
  return {.module = module, .symbol = std::move(symbol)};
}

GilState state_of(std::vector<Frame> frames, std::optional<bool> holds = false) {
  return gil_state({.frames = std::move(frames)}, {.holds_gil = holds}, loop);
}

}  // namespace

TEST(Gil, TheInterpreterSaysWhoHoldsIt) {
  EXPECT_EQ(state_of({frame("take_gil"), frame("_PyEval_EvalFrameDefault")}, true), GilState::holds);
  EXPECT_EQ(state_of({frame("take_gil"), frame("_PyEval_EvalFrameDefault")}, std::nullopt), GilState::unknown);
}

TEST(Gil, WaitersAreKnownByWhatTheyCalled) {
  EXPECT_EQ(state_of({frame("pthread_cond_timedwait@@GLIBC_2.3.2", libc), frame("take_gil"), frame(std::string(loop))}),
            GilState::waits);
  EXPECT_EQ(state_of({frame("futex", libc), frame("PyEval_RestoreThread"), frame("os_read"), frame(std::string(loop))}),
            GilState::waits);
  EXPECT_EQ(state_of({frame("PyThread_acquire_lock_timed"), frame("lock_PyThread_acquire_lock"), frame(std::string(loop))}),
            GilState::released);
  EXPECT_EQ(state_of({frame("read", libc), frame("os_read"), frame(std::string(loop)), frame("PyGILState_Ensure")}),
            GilState::released)
      << "what lies further out than the Python code is over";
}

TEST(Gil, AStrippedInterpreterNamesNothingBetween) {
  EXPECT_EQ(state_of({frame("pthread_cond_timedwait", libc), frame(std::nullopt), frame(std::string(loop))}), GilState::waits);
  EXPECT_EQ(state_of({frame("pthread_cond_timedwait", libc), frame(std::nullopt, 2), frame(std::string(loop))}),
            GilState::released)
      << "another library's condition";
}

TEST(Gil, TheLoopOf27TakesAPlainLock) {
  const std::string old = "PyEval_EvalFrameEx";
  Thread t{.frames = {frame("PyThread_acquire_lock"), frame(old)}};
  EXPECT_EQ(gil_state(t, {.holds_gil = false}, old), GilState::waits);
  t.frames.insert(t.frames.begin() + 1, frame("lock_PyThread_acquire_lock"));
  EXPECT_EQ(gil_state(t, {.holds_gil = false}, old), GilState::released);
}

}  // namespace sigwhy::python
