#include "diagnose/certain.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <limits>

#include "diagnose/memory_kill.h"
#include "diagnose/phrases.h"
#include "diagnose/worker_death.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::uint64_t near_bytes = 64ull << 20;

std::string signal_text(const Facts& f) {
  return f.snapshot.termination.signal_name.value_or(fmt::format("signal {}", f.signal));
}

std::string whereabouts(const Facts& f, const MemoryFault& m) {
  if (!m.address.canonical()) return "an address that cannot exist";
  if (m.place.region) return region_text(f, *m.place.region);
  if (f.stack_end) return fmt::format("{} below the thread's stack", bytes_text(f.stack_end->access_below_bytes));
  if (m.address.value == 0) return "address 0";
  if (m.address.value < page_bytes) return fmt::format("{} above null", bytes_text(m.address.value));
  if (m.place.lower && m.place.behind_bytes < near_bytes)
    return fmt::format("an unmapped address {} behind the end of {}", bytes_text(m.place.behind_bytes),
                       region_text(f, *m.place.lower));
  if (m.place.upper && m.place.before_bytes < near_bytes)
    return fmt::format("an unmapped address {} before the start of {}", bytes_text(m.place.before_bytes),
                       region_text(f, *m.place.upper));
  return "an address that is mapped nowhere and is near no object we can see";
}

std::string of_access(const Facts& f, const MemoryFault& m) {
  return fmt::format("{} {} {} {}", subject(f), did(m), m.access == Access::write ? "to" : "at", whereabouts(f, m));
}

std::int64_t as_signed(std::uint64_t value, std::uint64_t width) {
  switch (width) {
    case 1: return static_cast<std::int8_t>(value);
    case 2: return static_cast<std::int16_t>(value);
    case 4: return static_cast<std::int32_t>(value);
    default: return static_cast<std::int64_t>(value);
  }
}

std::string of_division(const Facts& f, const Division& d) {
  if (d.divisor == 0u) return fmt::format("{} divided an integer by zero", subject(f));
  if (!d.divisor) return fmt::format("the CPU refused an integer division in {}", subject(f));
  const auto divisor = d.is_signed ? signed_text(as_signed(*d.divisor, d.width_bytes)) : count_text(*d.divisor);
  // The high half is only the sign of the low one where a plain division was meant.
  const bool plain =
      d.dividend_low && d.dividend_high &&
      as_signed(*d.dividend_high, d.width_bytes) == (as_signed(*d.dividend_low, d.width_bytes) < 0 ? -1 : 0);
  const auto dividend =
      plain && d.is_signed ? signed_text(as_signed(*d.dividend_low, d.width_bytes)) : std::string("an integer");
  return fmt::format(
      "{} divided {} by {}: the result does not fit, and the CPU stops the program (this is no division by zero)",
      subject(f), dividend, divisor);
}

std::string of_protection(const Facts& f) {
  const auto& fault = *f.snapshot.fault;
  if (fault.operand && fault.instruction && *fault.operand < fault.instruction->operands.size() && fault.address)
    return fmt::format("{} used `{}`, which needs an address that is a multiple of {}; it got another", subject(f),
                       one_line(fault.instruction->mnemonic, 20),
                       fault.instruction->operands[*fault.operand].width_bytes);
  if (f.instruction)
    return fmt::format("the CPU refused `{}` in {}, not because of an address", one_line(f.instruction->text, 60),
                       subject(f));
  return fmt::format("the CPU refused an instruction in {}, and told no address", subject(f));
}

std::string of_instruction(const Facts& f) {
  if (f.jump)
    return f.jump->caller ? fmt::format("{} led to where no code is", frame_text(f, *f.jump->caller))
                          : "the program left its code";
  if (f.memory) return of_access(f, *f.memory);
  if (f.general_protection) return of_protection(f);
  if (f.signal == SIGBUS && f.code == BUS_ADRALN)
    return fmt::format("{} touched memory at an odd address while alignment was being checked", subject(f));
  if (f.instruction && f.instruction->division && f.signal == SIGFPE && f.code == FPE_INTDIV)
    return of_division(f, *f.instruction->division);
  if (f.signal == SIGFPE && f.code != FPE_INTDIV)
    return fmt::format("a floating-point operation in {} was stopped, because the program asked for that", subject(f));
  if (f.instruction && !f.instruction->mnemonic.empty())
    return fmt::format("{} stopped at `{}`", subject(f), one_line(f.instruction->text, 60));
  return fmt::format("{} stopped there with {}", subject(f), signal_text(f));
}

std::string of_abort(const Facts& f) {
  if (f.abort_caller && f.libc_gave_up && f.culprit)
    return fmt::format("the C library ended the program in a call from {}", frame_text(f, *f.culprit));
  if (f.abort_caller) return fmt::format("{} called abort()", frame_text(f, *f.abort_caller));
  return "the program ended itself with abort()";
}

std::optional<std::string> of_kill(const Facts& f) {
  const auto& t = f.snapshot.termination;
  if (t.code == si_kernel) return "the kernel itself ended it with SIGKILL";
  if (t.sender) return std::nullopt;
  const auto kill = memory_kill(f);
  if (kill && kill->choice == Choice::possible)
    return "it was ended by SIGKILL while the kernel killed one process of its group for memory, this one or another";
  return "it was ended by SIGKILL; the kernel does not say by whom";
}

std::string of_signal(const Facts& f) {
  const bool itself = f.raised == Raised::by_itself;
  switch (f.signal) {
    case SIGABRT:
      if (itself || f.raised == Raised::unknown) return of_abort(f);
      break;
    case SIGPIPE:
      if (f.raised != Raised::by_process) return "it got SIGPIPE, as does who writes to a pipe or socket that nobody reads";
      break;
    case SIGSYS: return "it made a system call that its sandbox (seccomp) forbids";
    case SIGKILL:
      if (const auto words = of_kill(f)) return *words;
      break;
    default: break;
  }
  const auto& sender = f.snapshot.termination.sender;
  if (f.raised == Raised::by_process && sender)
    return fmt::format("{} sent it {}", sender->pid ? sender_text(*sender) : "a process outside this container",
                       signal_text(f));
  if (itself) return fmt::format("the program sent {} to itself", signal_text(f));
  return fmt::format("it was ended by {}", signal_text(f));
}

// What the kernel counted and wrote since, where it settles something.
std::vector<std::string> of_lost(const Facts& f) {
  std::vector<std::string> out = {
      f.snapshot.termination.outlived_sigwhy
          ? "sigwhy was killed and the program ran on; how it ended was not seen"
          : "the program and all of sigwhy ended at once; sigwhy ends so only by SIGKILL or with the machine"};
  const auto kill = lost_kill(f);
  if (kill && kill->choice == Choice::excluded) out.push_back("the kernel has killed nobody of its group for memory since");
  if (kill && kill->choice == Choice::another && kill->log)
    out.push_back(fmt::format("the kernel killed another process for memory then: {}",
                              one_line(f.snapshot.memory_bounds->choices[*kill->log].command, 40)));
  return out;
}

std::vector<std::string> of_hang(const Facts& f) {
  const auto child = lost_child(f.snapshot);
  if (!child) return {};
  return {one_line(lost_text(f.snapshot.process.tree[*child]), longest_claim)};
}

bool refers_to(const std::vector<Finding>& findings, const std::string& path) {
  const auto in = [&](const std::vector<Fact>& facts) {
    return std::ranges::any_of(
        facts, [&](const Fact& fact) { return std::ranges::count(fact.evidence, path, &EvidenceRef::path) > 0; });
  };
  return std::ranges::any_of(findings, [&](const Finding& f) { return in(f.evidence_for) || in(f.evidence_against); });
}

}  // namespace

std::vector<std::string> certain_of(const Facts& f) {
  if (const auto code = deliberate_exit(f.snapshot))
    return {code->empty() ? "the program ended itself with sys.exit()"
                          : fmt::format("the program ended itself with sys.exit({})", one_line(*code, 60))};
  if (const auto death = worker_death(f); death && death->killed) return {one_line(death->words, longest_claim)};
  if (f.snapshot.termination.kind == TerminationKind::lost) return of_lost(f);
  if (f.snapshot.termination.kind == TerminationKind::hung) return of_hang(f);
  if (f.signal == 0) return {};
  return {one_line(f.raised == Raised::by_instruction ? of_instruction(f) : of_signal(f), longest_claim)};
}

std::vector<std::string> unexplained_by(const Facts& f, const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  if (f.signal == 0) return out;
  const auto& s = f.snapshot;
  for (std::size_t i = 0; i < s.texts.size(); ++i)
    if (s.texts[i].kind != TextKind::stderr_tail && !refers_to(findings, text_ref(i).path))
      out.push_back(fmt::format("these words were found in its memory: {}", one_line(s.texts[i].text, 140)));
  for (std::size_t i = 0; i < s.exceptions.size(); ++i)
    if (!refers_to(findings, exception_ref(i).path))
      out.push_back(fmt::format("a C++ exception was alive: {}{}", one_line(s.exceptions[i].type, 60),
                                s.exceptions[i].what ? " (" + one_line(*s.exceptions[i].what, 80) + ")" : ""));
  for (const auto& module : s.modules)
    if (module.file_changed)
      out.push_back(fmt::format("{} was replaced on disk during the run", one_line(file_name(module.path), 60)));
  return out;
}

}  // namespace sigwhy::diagnose
