#include "diagnose/python_state.h"

#include <signal.h>

#include <algorithm>

namespace sigwhy::diagnose {

namespace {

// Below this lie an object's reference count and type: a null object, not a null thread state.
constexpr std::uint64_t least_offset = 0x10;

bool just_above_null(const MemoryFault& m) {
  if (m.place.region || m.address.value < least_offset || m.address.value >= page_bytes) return false;
  return !m.base || m.base->value == 0;
}

bool in_interpreter(const FrameFact& frame) {
  return frame.family == Family::python || frame.role == Role::thread_state;
}

bool before(const Facts& f, Role role, std::optional<std::size_t> end) {
  const auto at = first_with(f, role);
  return at && (!end || *at < *end);
}

// These take no thread state: they may be called by anyone, or are how one is got.
bool needs_no_gil(std::string_view function) {
  constexpr std::string_view starts[] = {"PyMem_Raw", "_PyMem_Raw", "PyThread_", "PyGILState_", "PyEval_", "Py_AddPendingCall",
                                         "PyErr_SetInterrupt", "Py_Is", "Py_Fatal", "_Py_Fatal", "Py_Finalize", "Py_Initialize"};
  return std::ranges::any_of(starts, [&](std::string_view start) { return function.starts_with(start); });
}

bool is_api(const FrameFact& frame) {
  return frame.family == Family::python && (frame.function.starts_with("Py") || frame.function.starts_with("_Py")) &&
         !needs_no_gil(frame.function);
}

// Each state of the only interpreter was found to be some thread's.
bool all_states_are_known(const Snapshot& s) {
  const auto known = std::ranges::count_if(s.threads, [](const Thread& t) { return t.gil != GilState::unknown; });
  return s.interpreters.size() == 1 && s.interpreters[0].threads == static_cast<std::uint64_t>(known);
}

}  // namespace

std::optional<std::size_t> api_of_unknown_thread(const Facts& f) {
  if (!f.dying || f.dying->gil != GilState::unknown || !all_states_are_known(f.snapshot)) return std::nullopt;
  if (first_with(f, Role::python_eval) || !has_role(f, Role::thread_start)) return std::nullopt;
  std::optional<std::size_t> outermost;
  for (std::size_t i = 0; i < f.frames.size(); ++i) {
    if (f.frames[i].function.starts_with("PyGILState_Ensure")) return std::nullopt;
    if (is_api(f.frames[i])) outermost = i;
  }
  return outermost;
}

std::optional<NullThreadState> null_thread_state(const Facts& f) {
  if (f.signal != SIGSEGV || !f.memory || f.frames.empty() || !in_interpreter(f.frames[0])) return std::nullopt;
  if (!just_above_null(*f.memory)) return std::nullopt;
  const auto eval = first_with(f, Role::python_eval);
  NullThreadState state{.reads_it = f.frames[0].role == Role::thread_state};
  state.translating = before(f, Role::translator, eval);
  state.foreign_call = before(f, Role::foreign_call, eval);
  const bool own_thread = f.dying->tid != f.snapshot.process.pid || has_role(f, Role::thread_start);
  state.without_python = !eval && own_thread;
  if (!state.reads_it && !state.translating && !state.without_python) return std::nullopt;
  return state;
}

std::optional<std::size_t> terminate_text(const Facts& f) {
  return text_with(f, TextKind::terminate, {"terminate called after throwing"});
}

std::optional<std::size_t> escaped_exception(const Facts& f) {
  if (f.snapshot.exceptions.empty()) return std::nullopt;
  if (f.signal == SIGABRT && has_role(f, Role::cpp_terminate)) return 0;
  const auto state = null_thread_state(f);
  if (state && state->translating) return 0;
  return std::nullopt;
}

}  // namespace sigwhy::diagnose
