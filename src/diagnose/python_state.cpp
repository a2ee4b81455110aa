#include "diagnose/python_state.h"

#include <signal.h>

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

}  // namespace

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
