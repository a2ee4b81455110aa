// An end without a signal is mostly no death. Where the guarded heap was asked for it is looked at all the same: the
// guard notes a block that it finds damaged, and checks those still in use when the program ends.
#include "capture/clock.h"
#include "capture/guard_header.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

bool Supervisor::guard_found_something(const TracedProcess& p) const {
  return !plan_.guard.empty() && plan_.guard_not_loaded.empty() && guard_has_finding(p.pid);
}

// It ends by itself, even well; but a block was damaged, and who asks for the guarded heap wants to know.
void Supervisor::end_with_finding(Tracee& t, TracedProcess& p) {
  p.grabbed = true;
  Death& death = new_death(p.pid);
  death.guard_found = true;
  death.stopped_at_s = monotonic_s();
  if (death.arena) grab_dying(t, p, nullptr, 0, death);
  keep_folders(death);
  const Tracee copy{.tid = t.tid, .pid = t.pid};
  go_on(copy.tid, 0);
  release_others(copy);
  start_developing(death);
}

}  // namespace sigwhy::capture
