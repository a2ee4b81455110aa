// Ctrl-C, Ctrl-\ and a closed terminal are signals from the kernel's terminal driver: SI_KERNEL, no sender. Python
// turns SIGINT into KeyboardInterrupt and then dies of it by its own hand; who sent the first one is told where that one
// was seen. A program that interrupts itself is no user.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/line_values.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::optional<Finding> by_signal(const Facts& f) {
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

// The first SIGINT it was sent, or where it was sent none (_thread.interrupt_main) the one it ends itself with.
bool interrupted_itself(const Facts& f) {
  const Termination& t = f.snapshot.termination;
  return t.signal == SIGINT && t.sender && t.sender->relation == SenderRelation::itself;
}

std::optional<Finding> by_python(const Facts& f) {
  const auto at = any_is_a(f.snapshot, {"KeyboardInterrupt"});
  if (!at || raised_by_user(f) || interrupted_itself(f)) return std::nullopt;
  Finding out =
      finding(Cause::killed_by_user, Strength::strong, "it was interrupted: Ctrl-C, or SIGINT from elsewhere");
  out.evidence_for.push_back(fact("exception", "KeyboardInterrupt is what Python makes of SIGINT",
                                  {ref(fmt::format("/python_exceptions/{}", *at))}));
  out.rival = "a SIGINT that another process sent";
  out.fix.push_back("Nothing failed; start it again if it was not meant.");
  out.whose = Whose::somebody;
  out.retryable = Retryable::yes;
  return out;
}

std::optional<Finding> check(const Facts& f) { return f.failure ? by_python(f) : by_signal(f); }

}  // namespace

extern const Rule killed_by_user{.title = "killed by the user", .check = check};

}  // namespace sigwhy::diagnose::rules
