// What was copied of a death is read by a process of its own, which needs memory: after a kill for memory there may be
// none yet, and in a full group the kernel would choose us next.
#include <signal.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/quiet_timer.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

namespace {

constexpr double memory_is_free_after_s = 0.1;

}  // namespace

// It has ended, but whoever reads about a process just then, our sampler too, holds its memory until he is done.
void Supervisor::wait_for_room(const Death& death) const {
  const double deadline = monotonic_s() + memory_is_free_after_s;
  while (!memory_.has_room(death.group) && monotonic_s() < deadline) usleep(1000);
}

void Supervisor::start_developing(Death& death) {
  if (!death.arena) return;
  if (death.waits_for_room) wait_for_room(death);
  death.told = death.stored = death.waits_for_room = false;
  death.arena.unlock();
  if (death.killed && death.pid == root_) {
    ArenaWriter arena = ArenaWriter::behind_what_is_in(death.arena.storage());
    add_last_words(getpid(), stderr_start_, arena);
  }
  auto arguments = plan_.developer_arguments;
  arguments.insert(arguments.end(), {"--id", death.id});
  death.developer = start_developer(companion_, arguments, death.arena.fd(), death.root.get());
  pause_for_test("develop");
  // How it ends is known; that the kernel takes long to free what it held is no reason to wait with the report.
  if (death.over && death.pid == root_) tell_root_end(death, SIGKILL, death.stopped_at_s - started_s_);
}

// A developing process needs memory, and as long as a dying one still holds it all we would wait for it with every
// other stop unserved.
void Supervisor::start_waiting() {
  for (Death& death : deaths_) {
    if (!death.waits_for_room) continue;
    if (memory_.has_room(death.group)) start_developing(death);
    else start_quiet_timer();
  }
}

}  // namespace sigwhy::capture
