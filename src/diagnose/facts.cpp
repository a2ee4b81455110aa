#include "diagnose/facts.h"

#include <signal.h>

#include <algorithm>

#include "diagnose/facts_parts.h"

namespace sigwhy::diagnose {

namespace {

// The signal the evidence is about: the fault that the program handled first, else the one it died of.
int signal_of(const Termination& t) { return t.handled_signal.value_or(t.signal.value_or(0)); }

// A process whose handler ran and then ended it (faulthandler, Go) died of the fault all the same.
bool died_of_signal(const Termination& t) {
  return t.signal && (t.kind == TerminationKind::signalled || t.handled_first);
}

bool is_cpu_signal(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
}

bool is_own(const Snapshot& s, const Sender& sender) {
  return sender.relation == SenderRelation::itself || (sender.pid != 0 && sender.pid == s.process.pid);
}

Raised raised_by(const Snapshot& s) {
  const Termination& t = s.termination;
  if (!t.code) {
    const bool has_place = s.fault && s.fault->address;
    return is_cpu_signal(signal_of(t)) && has_place && !t.sender ? Raised::by_instruction : Raised::unknown;
  }
  if (*t.code > 0) return is_cpu_signal(signal_of(t)) ? Raised::by_instruction : Raised::by_kernel;
  if (*t.code == SI_TIMER) return Raised::by_timer;
  if (!t.sender) return signal_of(t) == SIGABRT ? Raised::by_itself : Raised::unknown;
  if (t.sender->relation == SenderRelation::kernel || t.sender->relation == SenderRelation::terminal)
    return Raised::by_kernel;
  return is_own(s, *t.sender) ? Raised::by_itself : Raised::by_process;
}

void add_dying_thread(Facts& f) {
  const auto index = dying_index(f.snapshot);
  if (!index) return;
  f.thread = *index;
  f.dying = &f.snapshot.threads[*index];
}

}  // namespace

Facts facts_of(const Snapshot& snapshot) {
  Facts f{.snapshot = snapshot};
  add_dying_thread(f);
  if (f.dying) {
    add_frames(f);
    add_python(f);
    add_arrays(f);
  }
  f.failure = python_failure_of(snapshot);
  if (!died_of_signal(snapshot.termination)) return f;
  f.signal = signal_of(snapshot.termination);
  f.code = snapshot.termination.code.value_or(0);
  f.raised = raised_by(snapshot);
  if (f.raised == Raised::by_instruction && snapshot.fault && f.dying) add_fault(f);
  add_array_access(f);
  add_guard(f);
  return f;
}

std::optional<std::size_t> text_with(const Facts& f, TextKind kind, std::initializer_list<std::string_view> words) {
  const auto& texts = f.snapshot.texts;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto holds = [&](std::string_view word) { return texts[i].text.find(word) != std::string::npos; };
    if (texts[i].kind == kind && !texts[i].text.empty() && (words.size() == 0 || std::ranges::any_of(words, holds)))
      return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> any_text_with(const Facts& f, std::initializer_list<std::string_view> words) {
  for (const auto kind : {TextKind::abort_message, TextKind::failed_check, TextKind::terminate, TextKind::python_fatal,
                          TextKind::protobuf_fatal, TextKind::openmp_error, TextKind::other})
    if (const auto found = text_with(f, kind, words)) return found;
  return std::nullopt;
}

std::optional<std::size_t> exception_with(const Facts& f, std::initializer_list<std::string_view> types) {
  const auto& all = f.snapshot.exceptions;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (const auto type : types)
      if (all[i].type == type || std::ranges::count(all[i].bases, type) > 0) return i;
  return std::nullopt;
}

std::optional<std::size_t> limit_index(const Facts& f, std::string_view name) {
  const auto& limits = f.snapshot.process.limits;
  const auto found = std::ranges::find(limits, name, &Limit::name);
  if (found == limits.end()) return std::nullopt;
  return static_cast<std::size_t>(found - limits.begin());
}

std::optional<std::uint64_t> soft_limit(const Facts& f, std::string_view name) {
  const auto index = limit_index(f, name);
  return index ? f.snapshot.process.limits[*index].soft : std::nullopt;
}

}  // namespace sigwhy::diagnose
