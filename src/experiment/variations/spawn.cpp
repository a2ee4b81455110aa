// A forked worker has a copy of all memory and of no thread but one: a lock that another thread held stays held for
// ever, and what libraries think of their threads is wrong. A spawned worker starts from nothing. Python's default is
// fork up to 3.13; whatever the program chooses itself, here it gets spawn.
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static constexpr const char* code = R"(
import multiprocessing
import multiprocessing.context as _context
_spawn = _context._concrete_contexts['spawn']
_context._default_context._default_context = _spawn
_context._default_context._actual_context = None
_get = _context.BaseContext.get_context
def _get_context(self, method=None):
    return _spawn if method in ('fork', 'forkserver') else _get(self, method)
_default_get = _context.DefaultContext.get_context
def _default_get_context(self, method=None):
    return _spawn if method in ('fork', 'forkserver') else _default_get(self, method)
_context.BaseContext.get_context = _get_context
_context.DefaultContext.get_context = _default_get_context
_set = _context.DefaultContext.set_start_method
def _set_start_method(self, method, force=False):
    return _set(self, 'spawn', force)
_context.DefaultContext.set_start_method = _set_start_method
multiprocessing.get_context = _context._default_context.get_context
multiprocessing.set_start_method = _context._default_context.set_start_method
)";

static Plan plan(const Subject& subject) {
  const bool known = finding_of(subject.before, Cause::fork_after_threads) != nullptr;
  const bool hung = subject.before.snapshot.termination.kind == TerminationKind::hung;
  if (!has_death(subject)) return std::unexpected("it did not die");
  if (!runs_python(subject)) return std::unexpected("it runs no Python");
  if (!known && !hung && workers_of(subject.before) == 0 && !subject.before.snapshot.root)
    return std::unexpected("it had no workers");
  Planned planned{.words = "with spawned workers",
                  .cause = Cause::fork_after_threads,
                  .prediction = "with workers that are spawned instead of forked it does not die",
                  .claim = "it fails only with workers that are forked from a process that has threads or locks",
                  .rival = "spawned workers import everything anew and start later",
                  .fix = "multiprocessing.set_start_method(\"spawn\") before the first worker",
                  .rank = known || hung ? 85 : 58,
                  .why = hung ? "it hung, and may have forked workers" : "it had workers"};
  planned.change.start_up = code;
  return planned;
}

extern const Variation spawn;
const Variation spawn = {.title = "spawn instead of fork", .plan = plan};

}  // namespace sigwhy::experiment::variations
