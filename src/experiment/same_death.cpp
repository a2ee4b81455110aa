#include "experiment/same_death.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "evidence/own_code.h"
#include "evidence/python_place.h"

namespace sigwhy::experiment {

namespace {

bool was_killed_for_memory(const Case& c) {
  if (c.snapshot.termination.kind == TerminationKind::killed_for_memory) return true;
  return std::ranges::any_of(c.diagnosis.findings, [](const Finding& f) {
    return f.cause == Cause::out_of_memory_killed && f.strength >= Strength::strong;
  });
}

bool ended_cleanly(const Trial& trial) {
  const auto& t = trial.result.snapshot.termination;
  return !trial.timed_out && t.kind == TerminationKind::exited && t.exit_code == 0;
}

std::string python_place_text(const PythonFrame& frame) {
  return fmt::format("{}:{}", frame.file, frame.line.value_or(0));
}

// The exception that ended it, with the user's line it left.
std::string exception_place(const Snapshot& s) {
  for (const auto& e : s.python_exceptions) {
    if (e.type == "SystemExit") continue;
    for (const auto& frame : e.traceback)
      if (is_own_code(frame)) return e.type + " " + python_place_text(frame);
    return e.type;
  }
  return {};
}

bool same_signal_death(const Case& a, const Case& b) {
  const auto &one = a.snapshot.termination, &other = b.snapshot.termination;
  if (!one.signal || !other.signal) return false;
  if (was_killed_for_memory(a)) return was_killed_for_memory(b);
  if (*one.signal == *other.signal && a.diagnosis.verdict == b.diagnosis.verdict) return true;
  if (!is_fault_signal(*one.signal) || !is_fault_signal(*other.signal)) return *one.signal == *other.signal;
  const auto place = own_place(a.snapshot);
  if (!place.empty() && place == own_place(b.snapshot)) return true;
  return is_memory_fault(a.diagnosis.verdict) && is_memory_fault(b.diagnosis.verdict);
}

}  // namespace

bool is_memory_fault(Cause cause) {
  using enum Cause;
  switch (cause) {
    case null_pointer: case out_of_bounds: case use_after_free: case invalid_free: case heap_corruption:
    case wild_pointer: case write_to_read_only: case bad_jump: case uninitialised_read: case bit_flip:
    case stack_smashed: case data_race: case unknown:
      return true;
    default: return false;
  }
}

std::string own_place(const Snapshot& s) {
  if (const auto place = python_place(s)) return python_place_text(s.threads[place->thread].python[place->frame]);
  const auto dying = dying_index(s);
  if (!dying) return {};
  for (const auto& frame : s.threads[*dying].frames) {
    if (!frame.module || *frame.module >= s.modules.size() || !frame.symbol) continue;
    const auto origin = s.modules[*frame.module].origin;
    if (origin == Origin::program || origin == Origin::user) return *frame.symbol;
  }
  return {};
}

End end_of(const Case& before, const Trial& trial) {
  if (before.snapshot.termination.kind == TerminationKind::hung)
    return trial.timed_out ? End::died : ended_cleanly(trial) ? End::survived : End::otherwise;
  if (trial.timed_out) return End::otherwise;
  if (ended_cleanly(trial)) return End::survived;
  const auto& now = trial.result;
  if (before.snapshot.termination.signal && now.snapshot.termination.signal)
    return same_signal_death(before, now) ? End::died : End::otherwise;
  const auto exception = exception_place(before.snapshot);
  if (!exception.empty() && exception == exception_place(now.snapshot)) return End::died;
  const bool both_exited = !before.snapshot.termination.signal && !now.snapshot.termination.signal;
  // No exception was seen in either: the status is all there is.
  if (both_exited && exception.empty() && before.snapshot.termination.exit_code == now.snapshot.termination.exit_code &&
      exception_place(now.snapshot).empty() && before.snapshot.termination.exit_code != 0)
    return End::died;
  return End::otherwise;
}

std::string how_it_ended(const Trial& trial) {
  const auto& s = trial.result.snapshot;
  const auto& t = s.termination;
  if (trial.timed_out) return "did not end in time";
  if (t.signal_name) return "died of " + *t.signal_name;
  if (!s.python_exceptions.empty()) return "ended with " + s.python_exceptions[0].type;
  return t.exit_code ? fmt::format("exited with {}", *t.exit_code) : "ended in another way";
}

}  // namespace sigwhy::experiment
