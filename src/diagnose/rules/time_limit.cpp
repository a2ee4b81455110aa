// Time was up: RLIMIT_CPU (SIGXCPU), the program's own alarm that nothing handled (SIGALRM and kin), or timeout(1).
// Schedulers, container runtimes and watchdogs ask first (SIGTERM) and kill when the program has not obeyed after a
// while. A person who loses patience does the same by hand, from a shell: that alone is no time limit.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/memory_kill.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string seconds_text(std::uint64_t seconds) { return seconds == 1 ? "1 second" : count_text(seconds) + " seconds"; }

std::optional<Finding> by_cpu_limit(const Facts& f) {
  if (f.signal != SIGXCPU || f.raised == Raised::by_process) return std::nullopt;
  // With the signal the kernel moves the soft limit on by a second, for the next one.
  auto limit = soft_limit(f, "cpu-time");
  if (limit && *limit > 0) --*limit;
  Finding out =
      finding(Cause::time_limit, limit ? Strength::proven : Strength::strong,
              limit ? fmt::format("it used up its {} of CPU time", seconds_text(*limit)) : "it used up its CPU time");
  out.evidence_for.push_back(
      fact("signal", "the kernel sends SIGXCPU when the CPU time limit is reached", {signal_ref(f)}));
  if (limit)
    out.evidence_for.push_back(fact("limit", fmt::format("the limit was {}; the kernel adds one with the signal", seconds_text(*limit)),
                                    {ref(fmt::format("/process/limits/{}", *limit_index(f, "cpu-time")))}));
  else out.rival = "a SIGXCPU that was sent for another reason";
  out.fix.push_back("Raise the limit (ulimit -t, or the scheduler's CPU time), or make the run shorter.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

// Where the soft limit is the hard one there is no SIGXCPU: the kernel kills, and names no sender.
std::optional<Finding> by_hard_limit(const Facts& f) {
  const Termination& t = f.snapshot.termination;
  const auto index = limit_index(f, "cpu-time");
  if (f.signal != SIGKILL || f.raised == Raised::by_process || !index || !f.snapshot.process.limits[*index].hard) return std::nullopt;
  const auto hard = *f.snapshot.process.limits[*index].hard;
  const double limit = static_cast<double>(hard);
  const double used = t.cpu_seconds.value_or(t.after_seconds);  // several threads use more than passes
  // The kernel counts in ticks, and may find the time used up a little early: on a busy machine 64 ms of a second were
  // seen. Where it is named as the sender there is hardly another reason.
  const bool by_kernel = t.sender && t.sender->relation == SenderRelation::kernel;
  if (used < limit - (by_kernel ? 0.2 : 0.05)) return std::nullopt;
  if (killed_for_memory(f)) return std::nullopt;
  const bool just_then = used < limit * 1.1 + 1;
  Finding out = finding(Cause::time_limit, just_then ? Strength::strong : Strength::plausible,
                        fmt::format("it {} killed when it had used up its {} of CPU time",
                                    just_then ? "was" : "may have been", seconds_text(hard)));
  out.evidence_for.push_back(fact("limit", fmt::format("the limit of CPU time is {}", seconds_text(hard)),
                                  {ref(fmt::format("/process/limits/{}", *index))}));
  out.evidence_for.push_back(t.cpu_seconds
                                 ? fact("time", fmt::format("it had used {:.1f} seconds of it when it was killed", used),
                                        {ref("/termination/cpu_seconds")})
                                 : fact("time", fmt::format("it was killed after {:.1f} seconds", used),
                                        {ref("/termination/after_seconds")}));
  out.rival = "a SIGKILL that somebody sent at that time; the kernel does not name the sender";
  out.fix.push_back("Raise the limit (ulimit -H -t, or the scheduler's CPU time), or make the run shorter.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = "with a higher limit it lives longer by as much";
  return out;
}

std::optional<Finding> by_alarm(const Facts& f) {
  const bool alarm = f.signal == SIGALRM || f.signal == SIGVTALRM || f.signal == SIGPROF;
  if (!alarm || (f.raised != Raised::by_kernel && f.raised != Raised::by_timer)) return std::nullopt;
  Finding out = finding(Cause::time_limit, Strength::proven,
                        fmt::format("a timer that {} had set itself ran out, and nothing handled {}", program_text(f),
                                    f.snapshot.termination.signal_name.value_or("its signal")));
  out.evidence_for.push_back(fact("timer", "the signal came from the process's own timer", {signal_ref(f)}));
  out.fix.push_back("Handle the signal, cancel the alarm when the work is done, or give it more time.");
  out.whose = Whose::your_code;
  out.retryable = Retryable::unknown;
  return out;
}

std::optional<Finding> by_timeout(const Facts& f) {
  const auto& sender = f.snapshot.termination.sender;
  if (f.raised != Raised::by_process || !sender || sender->command != "timeout") return std::nullopt;
  Finding out = finding(Cause::time_limit, Strength::strong,
                        fmt::format("timeout (process {}) ended it when its time was up", sender->pid));
  out.explains = Cause::killed_by_process;
  out.evidence_for.push_back(fact("sender", "the sender is the timeout command", {ref("/termination/sender")}));
  out.rival = "timeout passed on a signal that it was sent itself";
  out.fix.push_back("Give timeout a longer duration, or make the run shorter.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

// timeout(1) itself: it waits for a timer, ends its child and leaves with a number of its own. Where the child was seen to
// die of that signal, its death is told instead.
std::optional<Finding> by_own_timer(const Facts& f) {
  constexpr int time_was_up = 124;
  const auto& p = f.snapshot.process;
  if (f.snapshot.termination.exit_code != time_was_up || std::ranges::count(p.signals_caught, "SIGALRM") == 0) return std::nullopt;
  const auto child = std::ranges::find_if(p.tree, [&](const ProcessNode& n) { return n.parent == p.pid && n.ended; });
  if (child == p.tree.end()) return std::nullopt;
  const auto name = child->command.empty() ? std::string("its child") : one_line(child->command, 40);
  Finding out = finding(Cause::time_limit, Strength::strong,
                        fmt::format("{} let {} (process {}) run until its time was up", program_text(f), name, child->pid));
  out.evidence_for.push_back(fact("exit", "it exited with 124, as timeout does when the time is up", {ref("/termination/exit_code")}));
  out.evidence_for.push_back(fact("timer", "it handles SIGALRM, the signal of a timer", {ref("/process/signals_caught")}));
  out.evidence_for.push_back(fact("child", fmt::format("{} (process {}) ended before it", name, child->pid),
                                  {ref(fmt::format("/process/tree/{}", child - p.tree.begin()))}));
  out.rival = "it ended with that number for a reason of its own";
  out.fix.push_back("Give it a longer duration, or make the run shorter.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

// Programs whose work it is to end others when their time is over.
bool ends_by_plan(const Sender& sender) {
  static constexpr std::string_view names[] = {
      "timeout",    "slurmstepd", "slurmd",     "pbs_mom",  "sge_shepherd", "condor_starter", "condor_startd", "res",
      "systemd",    "systemd-shutdow", "dockerd", "containerd", "containerd-shim", "conmon", "crio", "runc", "crun",
      "kubelet",    "supervisord"};
  if (!sender.command) return false;
  return std::ranges::any_of(names, [&](std::string_view name) { return *sender.command == name; });
}

constexpr double least_grace_s = 0.2;

// At a prompt it is the shell that sends; a script that the program started is no prompt.
bool by_hand(const std::optional<Sender>& sender) {
  static constexpr std::string_view shells[] = {"bash", "zsh", "fish", "dash", "sh", "ksh", "tcsh", "csh", "htop", "top"};
  if (!sender || !sender->command) return false;
  const bool below = sender->relation == SenderRelation::child || sender->relation == SenderRelation::relative;
  return !below && std::ranges::find(shells, *sender->command) != std::end(shells);
}

struct Plan {
  std::string who;
  std::string path;  // into the snapshot
};

std::optional<Plan> plan_behind(const Facts& f, const AskedBefore& asked) {
  const auto& kill = f.snapshot.termination.sender;
  if (kill && kill->pid && ends_by_plan(*kill)) return Plan{sender_text(*kill), "/termination/sender"};
  if (asked.sender && asked.sender->pid && ends_by_plan(*asked.sender))
    return Plan{sender_text(*asked.sender), "/termination/asked_before/sender"};
  static constexpr std::pair<const char*, const char*> places[] = {
      {"SLURM_JOB_ID", "Slurm"},     {"PBS_JOBID", "PBS"},           {"LSB_JOBID", "LSF"},
      {"SGE_TASK_ID", "Grid Engine"}, {"KUBERNETES_SERVICE_HOST", "Kubernetes"}};
  // Somebody in the same place who sends signals himself has no need of a scheduler.
  const bool from_inside = asked.sender && asked.sender->pid && asked.sender->uid == f.snapshot.process.uid &&
                           asked.sender->uid != 0 && asked.sender->command;
  for (const auto& [name, who] : places)
    if (!from_inside && f.snapshot.process.switches.contains(name)) return Plan{who, "/process/switches"};
  const bool outside = asked.sender && asked.sender->pid == 0 && asked.sender->relation == SenderRelation::unknown;
  if (outside) return Plan{"what runs this container", "/termination/asked_before/sender"};
  const bool waited = asked.seconds_before.value_or(0) >= least_grace_s && asked.signal == SIGTERM;
  if (!waited || by_hand(kill) || by_hand(asked.sender)) return std::nullopt;
  const bool named = asked.sender && asked.sender->pid && asked.sender->command;
  return Plan{named ? sender_text(*asked.sender) : "whoever runs it", "/termination/asked_before"};
}

std::optional<Finding> by_scheduler(const Facts& f) {
  const auto& asked = f.snapshot.termination.asked_before;
  if (f.signal != SIGKILL || !asked) return std::nullopt;
  const auto kill = memory_kill(f);
  if (kill && kill->choice != Choice::excluded && kill->choice != Choice::another && kill->choice != Choice::unknown)
    return std::nullopt;
  const auto plan = plan_behind(f, *asked);
  if (!plan) return std::nullopt;
  const auto grace = asked->seconds_before ? fmt::format(" {:.1f} seconds later", *asked->seconds_before) : std::string();
  Finding out = finding(Cause::time_limit, Strength::strong,
                        fmt::format("{} asked it to end with {} and killed it{}", plan->who, asked->signal_name, grace));
  out.explains = Cause::killed_by_process;
  out.evidence_for.push_back(fact("asked", fmt::format("it {} {}", asked->reaction, asked->signal_name),
                                  {ref("/termination/asked_before")}));
  out.evidence_for.push_back(fact("plan", fmt::format("it was run or ended by {}", plan->who), {ref(plan->path)}));
  if (kill && kill->choice == Choice::excluded)
    out.evidence_for.push_back(fact("memory", "the kernel has killed nobody there for memory", {ref("/memory_bounds")}));
  out.rival = "a stop that was asked for: the job was cancelled, its place was needed, or somebody ended it";
  out.fix.push_back("Ask for more time, or end (save and exit) when that first signal comes.");
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  for (const auto way : {by_cpu_limit, by_hard_limit, by_alarm, by_scheduler, by_timeout, by_own_timer})
    if (auto found = way(f)) return found;
  return std::nullopt;
}

}  // namespace

extern const Rule time_limit{.title = "time limit", .check = check};

}  // namespace sigwhy::diagnose::rules
