// A look into a process that lives and is traced already (`sigwhy attach`): its threads are stopped for a moment,
// those apart that would notice, copied, and go on. Whatever else a thread has stopped for meanwhile is served
// afterwards, as if it had come then.
#include <errno.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "capture/clock.h"
#include "capture/door.h"
#include "capture/hurry.h"
#include "capture/life_span.h"
#include "capture/supervisor.h"

namespace sigwhy::capture {

constexpr static int rounds = 3;
constexpr static int looks_before = 4;
constexpr static unsigned between_looks_us = 300;

std::vector<LivingThread> Supervisor::watch_living(pid_t pid) const {
  std::vector<LivingThread> living;
  for (const auto& [tid, t] : tracees_)
    if (t.pid == pid) living.emplace_back().look.tid = tid;
  std::ranges::sort(living, {}, [&](const LivingThread& t) { return t.look.tid == pid ? 0 : t.look.tid; });
  for (int look = 0; look < looks_before; ++look) {
    for (LivingThread& t : living) t.look_again(pid);
    usleep(between_looks_us);
  }
  return living;
}

void Supervisor::hold_living(pid_t pid, std::vector<LivingThread>& living) {
  for (int round = 1; round <= rounds; ++round)
    for (LivingThread& t : living) {
      if (t.asked) continue;
      t.look_again(pid);
      if (t.may_be_stopped(round == rounds))
        t.asked = tracees_[t.look.tid].interrupted = ptrace(PTRACE_INTERRUPT, t.look.tid, nullptr, nullptr) == 0;
    }
  collect_living(living);
  std::erase_if(living, [](const LivingThread& t) { return t.look.doing == Doing::gone; });
}

void Supervisor::collect_living(std::vector<LivingThread>& living) {
  const double since_s = monotonic_s();
  for (;;) {
    Missing missing;
    for (LivingThread& t : living) {
      Tracee& tracee = tracees_[t.look.tid];
      if (!t.asked || tracee.held) continue;
      // Stops only: the end of a process is for the main loop to see.
      siginfo_t news{};
      const id_t id = static_cast<id_t>(t.look.tid);
      t.stopped = waitid(P_PID, id, &news, WSTOPPED | WNOHANG | __WALL) == 0 && news.si_pid == t.look.tid;
      tracee.held = t.stopped;
      if (t.stopped) tracee.status = news.si_status << 8 | 0x7f;
      else ++(t.look.doing == Doing::sleeps ? missing.asleep : missing.at_work);
    }
    if (missing.enough(monotonic_s() - since_s, living.size())) return;
    usleep(20);
  }
}

// Serves what each has stopped for; a thread that was stopped by us alone goes on as if it had not been.
void Supervisor::release_living(const std::vector<LivingThread>& living) {
  for (const LivingThread& t : living) {
    const auto found = tracees_.find(t.look.tid);
    if (found == tracees_.end() || !found->second.held) continue;
    found->second.held = false;
    on_stop(t.look.tid, found->second.status);
  }
}

// How long it was stopped, in seconds.
double Supervisor::copy_living(pid_t pid, ArenaWriter& arena) {
  const LifeSpan life = life_span_of(pid);
  GrabRequest request{.pid = pid,
                      .started_unix_s = life.started_unix_s,
                      .after_seconds = life.seconds,
                      .stderr_start = stderr_start_,
                      .lives_on = true};
  grab_identity(request, arena);
  write_tree(arena, true);
  auto held = watch_living(pid);
  const Hurry hurry;
  const double stopped_at_s = monotonic_s();
  hold_living(pid, held);
  request.living = held;
  request.until_s = stopped_at_s + most_still_seconds(held.size());
  grab_living(request, arena);
  release_living(held);
  return monotonic_s() - stopped_at_s;
}

void Supervisor::serve_visitor() {
  const Visitor visitor = answer_door();
  if (!visitor.line) return;
  const auto found = processes_.find(visitor.wants);
  if (found == processes_.end() || found->second.releasing) return answer(visitor, {.error = ESRCH}, -1);
  if (found->second.grabbed) return answer(visitor, {.error = EBUSY}, -1);
  const StandbyArena copy = StandbyArena::make();
  if (!copy) return answer(visitor, {.error = ENOMEM}, -1);
  ArenaWriter arena(copy.storage());
  const double stopped_s = copy_living(visitor.wants, arena);
  answer(visitor, {.stopped_ms = stopped_s * 1e3}, copy.fd());
}

}  // namespace sigwhy::capture
