// The kernel found no page for somebody, chose a process and ended it with SIGKILL. The limit is a control group's
// (the container's, the job's, or one further out that it shares with others) or the machine itself. Daemons that kill
// before the kernel must (systemd-oomd, earlyoom) do the same from outside, and are processes like any other.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/broken_input.h"
#include "diagnose/memory_kill.h"
#include "diagnose/memory_story.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

void add_fix(const Facts& f, const MemoryKill& kill, Finding& out) {
  if (kill.group && *kill.group > 0)
    out.fix.push_back(fmt::format("Others count into {} as well: see what else runs there, raise it, or use less memory.",
                                  limit_text(f, kill)));
  else if (kill.machine) out.fix.push_back("Use less memory, run less at the same time, or take a machine with more.");
  else out.fix.push_back("Use less memory, or raise that limit.");
}

std::optional<Strength> strength_of(Choice choice) {
  switch (choice) {
    case Choice::certain: return Strength::proven;
    case Choice::likely: return Strength::strong;
    case Choice::suspected: return Strength::plausible;
    case Choice::possible: return Strength::weak;
    default: return std::nullopt;
  }
}

std::optional<Finding> by_kernel(const Facts& f, MemoryKill kill) {
  const auto strength = strength_of(kill.choice);
  if (!strength) return std::nullopt;
  auto words = fmt::format("by the kernel, at {}", limit_text(f, kill));
  if (kill.choice == Choice::suspected) words = fmt::format("it may have been killed by the kernel, at {}", limit_text(f, kill));
  if (kill.choice == Choice::possible) words = "the kernel killed one process of the group, perhaps this one";
  Finding out = finding(Cause::out_of_memory_killed, *strength, words);
  out.evidence_for = std::move(kill.facts);
  if (kill.lost && *strength < Strength::proven)
    out.rival = "somebody's SIGKILL for program and sigwhy, and another process of the group that was killed for memory";
  else if (kill.choice == Choice::likely)
    out.rival = "another process of the group that came and went in the meantime, and somebody's SIGKILL for this one";
  else if (kill.choice == Choice::possible) out.rival = "another process of the group was the one";
  add_fix(f, kill, out);
  out.whose = kill.machine ? Whose::machine : Whose::environment;
  out.retryable = kill.group == 0u ? Retryable::no : Retryable::unknown;
  out.prediction = "with a higher limit it lives longer";
  // What a reader took because a broken file told it to is no story of the program's own.
  if (*strength >= Strength::strong && !died_reading(f))
    if (const auto story = memory_story(f)) tell(*story, out);
  return out;
}

std::optional<Finding> by_daemon(const Facts& f) {
  const auto& t = f.snapshot.termination;
  if (f.signal != SIGKILL || !t.sender || !t.sender->command || f.raised != Raised::by_process) return std::nullopt;
  const auto& name = *t.sender->command;
  if (name != "systemd-oomd" && name != "earlyoom" && name != "oomd" && name != "nohang") return std::nullopt;
  Finding out = finding(Cause::out_of_memory_killed, Strength::strong,
                        fmt::format("by {}, which ends programs before memory runs out", sender_text(*t.sender)));
  out.explains = Cause::killed_by_process;
  out.evidence_for.push_back(fact("sender", "that is what this program is for", {ref("/termination/sender")}));
  out.rival = "it was told to end this program for another reason";
  out.fix.push_back(fmt::format("Use less memory; the log of {} says which bound was met.", one_line(name, 40)));
  out.whose = Whose::environment;
  out.retryable = Retryable::unknown;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = by_daemon(f)) return found;
  auto kill = f.snapshot.termination.kind == TerminationKind::lost ? lost_kill(f) : memory_kill(f);
  return kill ? by_kernel(f, std::move(*kill)) : std::nullopt;
}

}  // namespace

extern const Rule out_of_memory_killed{.title = "killed for memory", .check = check};

}  // namespace sigwhy::diagnose::rules
