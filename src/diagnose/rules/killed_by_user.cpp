// Ctrl-C, Ctrl-\ and a closed terminal are signals from the kernel's terminal driver: SI_KERNEL, no sender.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> check(const Facts& f) {
  const Termination& t = f.snapshot.termination;
  const bool from_terminal = t.sender && t.sender->relation == SenderRelation::terminal;
  if (f.raised != Raised::by_kernel || (f.code != si_kernel && !from_terminal)) return std::nullopt;
  const char* how = f.signal == SIGINT    ? "Ctrl-C was pressed"
                    : f.signal == SIGQUIT ? "Ctrl-\\ was pressed"
                    : f.signal == SIGHUP  ? "the terminal was closed"
                                          : nullptr;
  if (!how) return std::nullopt;
  Finding out = finding(Cause::killed_by_user, Strength::proven, how);
  out.evidence_for.push_back(
      fact("terminal", "the signal came from the kernel's terminal, from no process", {signal_ref(f)}));
  if (f.signal == SIGHUP)
    out.fix.push_back("Start long runs so that they outlive the terminal: nohup, tmux, a job scheduler.");
  else out.fix.push_back("Nothing failed; start it again if it was not meant.");
  out.whose = Whose::somebody;
  out.retryable = Retryable::yes;
  return out;
}

}  // namespace

extern const Rule killed_by_user{.title = "killed by the user", .check = check};

}  // namespace sigwhy::diagnose::rules
