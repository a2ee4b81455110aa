// What was copied of a death is read by a process of its own, which needs memory: after a kill for memory there may be
// none yet, and in a full group the kernel would choose us next. And it needs a place among the processes that a control
// group may have, which the program may have died for want of.
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/clock.h"
#include "capture/quiet_timer.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

namespace {

constexpr double memory_is_free_after_s = 0.1;
constexpr double others_are_gone_after_s = 3;  // some init processes reap only every other second
constexpr unsigned between_tries_us = 20000;  // each that fails is counted in pids.events

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
  if (death.killed && death.pid == root_ && !death.developer.error) {
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

// In a full group nothing can be started before others have gone, and what the program left behind takes a moment to
// notice its end. Meanwhile others may die, and deaths_ move.
Death* Supervisor::start_at_last(std::string id) {
  const double deadline = monotonic_s() + others_are_gone_after_s;
  for (;;) {
    Death* death = death_with(id);
    if (!death || death->developer.gate) return death;
    start_developing(*death);
    if (death->developer.error != EAGAIN || monotonic_s() > deadline) return death;
    serve_stops();
    serve_others();
    usleep(between_tries_us);
  }
}

// All but the root, which has ended and is held.
void Supervisor::serve_others() {
  std::vector<pid_t> known;
  for (const auto& [tid, t] : tracees_)
    if (tid != root_) known.push_back(tid);
  for (const pid_t tid : known) {
    int status = 0;
    if (waitpid(tid, &status, WNOHANG | WUNTRACED | __WALL) != tid) continue;
    if (WIFSTOPPED(status)) on_stop(tid, status);
    else on_gone(tid, status);
  }
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
