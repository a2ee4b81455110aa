// Another process sent the signal; the kernel names it. This holds for SIGSEGV too: with si_code SI_USER, SI_QUEUE
// or SI_TKILL it is a letter, not a fault. A program that tidies up on SIGTERM and exits with 128 + 15 counts as
// well: the signal it was asked with is known. SIGKILL names nobody: there the sender is known where the kernel's
// tracepoint could be watched, and else at least that it was not the kernel for memory.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/memory_kill.h"
#include "diagnose/phrases.h"
#include "diagnose/python_failure.h"
#include "evidence/python_source.h"
#include "diagnose/rule.h"
#include "diagnose/worker_death.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_other(const Facts& f, const Sender& sender) {
  switch (sender.relation) {
    case SenderRelation::itself:
    case SenderRelation::kernel:
    case SenderRelation::terminal: return false;
    default: return sender.pid != f.snapshot.process.pid;
  }
}

bool was_sent(const Termination& t) { return t.code && *t.code <= 0 && *t.code != SI_TIMER; }

bool exited_for_it(const Termination& t) {
  return t.kind == TerminationKind::exited && t.signal && t.exit_code == 128 + *t.signal && !t.handled_first;
}

// Taking a lock is a call into C: the line itself is the innermost place.
bool stands_at_lock(const PythonFrame& frame) {
  const auto text = frame.text.value_or("");
  const bool takes = text.find(".acquire(") != text.npos || text.starts_with("with ");
  return takes && std::ranges::any_of(frame.values, [&](const PyValue& v) {
           return (v.type == "lock" || v.type == "RLock" || v.type == "Condition" || v.type == "Semaphore") &&
                  mentions(text, v.name);
         });
}

// Where it stood waiting for somebody else: then it may have been ended because it never went on.
std::optional<std::string> was_waiting(const Facts& f) {
  const auto& exceptions = f.snapshot.python_exceptions;
  if (exceptions.empty() || exceptions[0].traceback.empty()) return std::nullopt;
  const auto& innermost = exceptions[0].traceback[0];
  const std::string_view file = innermost.file;
  const bool in_library = std::ranges::any_of(
      std::initializer_list<std::string_view>{"/threading.py", "/popen_fork.py", "/subprocess.py", "/selectors.py",
                                              "/connection.py", "/queue.py", "/synchronize.py"},
      [&](std::string_view name) { return file.ends_with(name); });
  if (!in_library && !stands_at_lock(innermost)) return std::nullopt;
  const auto at = f.failure && f.failure->own ? frame_of(f.snapshot, *f.failure->own) : innermost;
  return fmt::format("{}:{}", file_name(at.file), at.line.value_or(0));
}

std::string signal_text(const Termination& t) { return t.signal_name.value_or(fmt::format("signal {}", *t.signal)); }

std::string asked_text(const AskedBefore& asked) {
  const auto who = asked.sender && asked.sender->pid ? sender_text(*asked.sender) + " had sent" : "it had been sent";
  const auto when = asked.seconds_before ? fmt::format(" {:.1f} seconds before", *asked.seconds_before) : std::string();
  return fmt::format("{} {}{}, which it {}", who, asked.signal_name, when, asked.reaction);
}

// A second, harder signal to a program that did not obey the first.
void add_asked(const Termination& t, Finding& out) {
  if (!t.asked_before || t.signal != SIGKILL) return;
  out.evidence_for.push_back(fact("asked", asked_text(*t.asked_before), {ref("/termination/asked_before")}));
}

// In the outermost group is everybody: what happened there is no matter of this program's.
bool concerns(const Facts& f, const OomChoice& c) {
  const auto& groups = f.snapshot.memory_bounds->groups;
  return c.pid != f.snapshot.process.pid && !groups.empty() && groups[0].path != "/" && c.group == groups[0].path;
}

// The kernel's word that it killed somebody else of its group for memory since the run began.
std::optional<Fact> earlier_kill(const Facts& f) {
  if (!f.snapshot.memory_bounds) return std::nullopt;
  const auto& bounds = *f.snapshot.memory_bounds;
  for (std::size_t i = 0; i < bounds.choices.size(); ++i) {
    const OomChoice& c = bounds.choices[i];
    if (!concerns(f, c)) continue;
    return fact("earlier", fmt::format("{:.0f} seconds before, the kernel had killed {} (process {}) of its group for memory",
                                       c.seconds_before, one_line(c.command, 40), c.pid),
                {ref(fmt::format("/memory_bounds/choices/{}", i))});
  }
  return std::nullopt;
}

// Something in the tree had gone wrong already: then the signal may only have ended what was left of it.
std::optional<Fact> earlier_trouble(const Facts& f) {
  if (auto kill = earlier_kill(f)) return kill;
  const auto child = lost_child(f.snapshot);
  if (!child) return std::nullopt;
  return fact("earlier", lost_text(f.snapshot.process.tree[*child]), {ref(fmt::format("/process/tree/{}", *child))});
}

void add_fix(const std::string& first, const std::optional<Fact>& trouble, Finding& out) {
  if (trouble) out.evidence_for.push_back(*trouble);
  out.fix.push_back(first + (trouble ? ". Look at the earlier death first (sigwhy list): this one may follow from it."
                                     : "; nothing in the program itself failed."));
}

bool runs_as_root(const Facts& f) { return f.snapshot.process.uid == 0; }

std::string who_could(const Facts& f) {
  std::string who = runs_as_root(f) ? "root" : fmt::format("user {} or root", f.snapshot.process.uid);
  const auto& switches = f.snapshot.process.switches;
  if (switches.contains("SLURM_JOB_ID")) who += ", Slurm among them";
  else if (switches.contains("KUBERNETES_SERVICE_HOST")) who += ", the container runtime of Kubernetes among them";
  return who;
}

// Nobody saw the sender of a SIGKILL; but what the kernel counts says that it was not the kernel, for memory.
std::optional<Finding> by_somebody(const Facts& f) {
  const Termination& t = f.snapshot.termination;
  if (f.signal != SIGKILL || t.code) return std::nullopt;
  auto kill = memory_kill(f);
  if (!kill || (kill->choice != Choice::excluded && kill->choice != Choice::another)) return std::nullopt;
  Finding out = finding(Cause::killed_by_process, Strength::strong,
                        kill->choice == Choice::another ? "by a process; the kernel killed for memory, but not this one"
                                                        : "by a process, not by the kernel for memory");
  out.evidence_for = std::move(kill->facts);
  if (f.snapshot.memory_bounds && f.snapshot.memory_bounds->machine_oom_kills)
    out.evidence_for.push_back(fact("machine", "the machine's own count of kills for memory does not hold this one",
                                    {ref("/memory_bounds/machine_oom_kills")}));
  out.evidence_for.push_back(fact("who", fmt::format("those may send it SIGKILL: {}", who_could(f)), {ref("/process/uid")}));
  add_asked(t, out);
  out.rival = "the program itself, or the kernel for another reason than memory (a CPU time limit, the end of a container)";
  add_fix("Find out who ends it: a scheduler, a container runtime, a person", earlier_trouble(f), out);
  out.whose = Whose::somebody;
  out.retryable = Retryable::yes;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = by_somebody(f)) return found;
  const Termination& t = f.snapshot.termination;
  if (!t.signal || !t.sender || !was_sent(t) || !is_other(f, *t.sender)) return std::nullopt;
  const bool exited = exited_for_it(t);
  if (!exited && t.kind != TerminationKind::signalled) return std::nullopt;
  const bool outside = t.sender->pid == 0;
  const auto who = outside ? std::string("a process outside this container") : sender_text(*t.sender);
  auto words = fmt::format("{} sent it {}", who, signal_text(t));
  if (exited) words += fmt::format(", and it ended itself with {}", *t.exit_code);
  const auto waiting = was_waiting(f);
  const auto trouble = earlier_trouble(f);
  Finding out = finding(Cause::killed_by_process, exited || outside || waiting || trouble ? Strength::strong : Strength::proven, words);
  out.evidence_for.push_back(
      fact("sender", fmt::format("the kernel names the sender: {}", who), {ref("/termination/sender")}));
  out.evidence_for.push_back(fact("sent", "the signal was sent, not raised by an instruction", {signal_ref(f)}));
  if (const auto kill = memory_kill(f); kill && kill->choice == Choice::another)
    out.evidence_for.insert(out.evidence_for.end(), kill->facts.begin(), kill->facts.end());
  add_asked(t, out);
  if (exited) out.rival = "it ended with that number for a reason of its own";
  else if (waiting) out.rival = fmt::format("it was ended because it hung: it was waiting at {}", *waiting);
  else if (trouble) out.rival = "it was ended because it did not go on after that";
  else if (outside) out.rival = "the kernel itself, on behalf of something it does not name";
  add_fix(fmt::format("Find out why {} ends the program", who), trouble, out);
  out.whose = Whose::somebody;
  out.retryable = Retryable::yes;
  return out;
}

}  // namespace

extern const Rule killed_by_process{.title = "killed by a process", .check = check};

}  // namespace sigwhy::diagnose::rules
