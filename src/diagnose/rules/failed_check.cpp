// The program checked something, found it wrong and gave up: assert, CHECK of abseil and glog, glibc's and the C++
// runtime's own checks. The text says what was checked; a text alone may be left over, so the stack must agree for
// proof. A bare abort() is a decision of the program too, but nobody knows about what.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/function_names.h"
#include "diagnose/heap_messages.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool gave_up(const Facts& f) { return f.signal == SIGABRT || f.signal == SIGILL || f.signal == SIGTRAP; }

struct Words {
  std::optional<std::size_t> text;
  std::string shown;
};

// "python: op.c:2: train_batch: Assertion `n > 0' failed." -> "assertion `n > 0' failed in train_batch (op.c:2)"
std::string assertion_text(const std::string& text) {
  const auto at = text.find(": Assertion `");
  if (at == std::string::npos) return one_line(text, 140);
  const auto function = text.rfind(": ", at - 1);
  const auto place = function == std::string::npos || function == 0 ? function : text.rfind(": ", function - 1);
  if (place == std::string::npos) return one_line(text.substr(at + 2), 140);
  return fmt::format("{} in {} ({})",
                     one_line("assertion" + text.substr(at + 11, text.find_last_not_of(". \n") - at - 10), 110),
                     one_line(text.substr(function + 2, at - function - 2), 40),
                     file_name(text.substr(place + 2, function - place - 2)));
}

Words words_of(const Facts& f) {
  if (const auto check = text_with(f, TextKind::failed_check, {}))
    return {check, one_line(f.snapshot.texts[*check].text, 160)};
  const auto message = f.libc_gave_up ? text_with(f, TextKind::abort_message, {}) : std::nullopt;
  if (message) return {message, assertion_text(f.snapshot.texts[*message].text)};
  return {};
}

std::optional<Finding> by_words(const Facts& f) {
  const auto words = words_of(f);
  const auto frame = first_with(f, Role::assertion);
  if (!words.text && !frame) return std::nullopt;
  const auto who = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  Finding out = finding(Cause::failed_check, frame ? Strength::proven : Strength::strong,
                        words.text ? words.shown : fmt::format("a check failed in {}; its text was not found", who));
  if (words.text)
    out.evidence_for.push_back(
        fact("text", fmt::format("the program says: {}", one_line(f.snapshot.texts[*words.text].text, 160)),
             {text_ref(*words.text)}));
  if (frame)
    out.evidence_for.push_back(
        frame_fact(f, *frame, fmt::format("{} ends the program when a check fails", function_text(f, *frame))));
  if (f.culprit)
    out.evidence_for.push_back(frame_fact(f, *f.culprit, fmt::format("the check is in {}", frame_text(f, *f.culprit))));
  if (f.signal != SIGABRT) out.explains = Cause::deliberate_trap;
  if (!frame) out.rival = "a message left from an earlier failure, while it stopped for another reason";
  const bool handed = f.own && f.culprit && *f.culprit < *f.own && f.frames[*f.culprit].family == Family::framework;
  out.fix.push_back(handed ? fmt::format("The check names what it did not accept: look at what {} does where it calls {}.",
                                         frame_text(f, *f.own), function_text(f, *f.culprit))
                           : "The check names what it did not accept: look at the values that led there.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

// The C++ runtime's own check: the table of virtual functions had none for this class.
std::optional<Finding> by_pure_virtual(const Facts& f) {
  const auto frame = frame_named(f, "__cxa_pure_virtual");
  if (!frame) return std::nullopt;
  const auto who = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  Finding out =
      finding(Cause::failed_check, Strength::proven,
              fmt::format("{} called a pure virtual function, of an object not yet or no longer complete", who));
  out.evidence_for.push_back(frame_fact(f, *frame, "the C++ runtime's answer to such a call is on the stack"));
  if (const auto text = text_with(f, TextKind::terminate, {"pure virtual method called"}))
    out.evidence_for.push_back(fact("text", "it says: pure virtual method called", {text_ref(*text)}));
  out.fix.push_back(
      "Call no virtual function from a constructor or destructor, and none of an object that is destroyed.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

bool is_thread_end(std::string_view name) { return name == "std::thread::~thread" || name == "std::thread::operator="; }

// The frame that called std::terminate, where it is std::thread's destructor or assignment, inlined or not.
std::optional<std::size_t> destroyed_thread(const Facts& f) {
  const auto terminate = frame_named(f, "std::terminate");
  if (!terminate || *terminate + 1 >= f.frames.size()) return std::nullopt;
  const std::size_t caller = *terminate + 1;
  bool ends = is_thread_end(f.frames[caller].function);
  for (const auto& inlined : f.dying->frames[caller].inlined) ends = ends || is_thread_end(bare_name(inlined.symbol));
  return ends ? std::optional(caller) : std::nullopt;
}

// When Python ends, its threads that are still in native code are made to leave at their next look at the GIL. glibc
// unwinds their stack for that, and a C++ frame that lets no exception through calls std::terminate.
std::optional<Finding> by_thread_at_exit(const Facts& f) {
  const auto unwinds = frame_named(f, "_Unwind_ForcedUnwind");
  const auto leaves = frame_named(f, "PyThread_exit_thread");
  if (!has_role(f, Role::cpp_terminate) || !unwinds || !leaves) return std::nullopt;
  Finding out = finding(Cause::failed_check, Strength::strong,
                        "a thread was still at work when Python ended; it was made to leave, which C++ code on its stack does not allow");
  out.evidence_for.push_back(frame_fact(f, *leaves, "Python ended this thread because the interpreter is going"));
  out.evidence_for.push_back(frame_fact(f, *unwinds, "its stack was being unwound for that, and C++ called std::terminate"));
  out.rival = "another use of pthread_exit() below C++ code";
  out.fix.push_back("Stop and join threads (also daemon threads, loaders, pools) before the program ends.");
  out.whose = responsible(f);
  return out;
}

// std::terminate without an exception: almost always a std::thread that was destroyed while it could be joined.
std::optional<Finding> by_terminate(const Facts& f) {
  const auto text = text_with(f, TextKind::terminate, {"without an active exception"});
  const auto frame = first_with(f, Role::cpp_terminate);
  if (!frame || (!text && !f.snapshot.exceptions.empty())) return std::nullopt;
  const auto destroyed = destroyed_thread(f);
  const auto from = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  Finding out = destroyed
                    ? finding(Cause::failed_check, Strength::proven,
                              fmt::format("{} destroyed a std::thread that was neither joined nor detached", from))
                    : finding(Cause::failed_check, Strength::plausible,
                              fmt::format("std::terminate was called without an exception, from {}: a std::thread "
                                          "may have been destroyed before it was joined",
                                          from));
  if (destroyed) out.evidence_for.push_back(frame_fact(f, *destroyed, "std::thread's destructor ended the program"));
  out.evidence_for.push_back(frame_fact(f, *frame, fmt::format("{} is on the stack", function_text(f, *frame))));
  if (text)
    out.evidence_for.push_back(
        fact("text", "libstdc++ says: terminate called without an active exception", {text_ref(*text)}));
  if (!destroyed) out.rival = "the program called std::terminate itself";
  out.fix.push_back("Join or detach every std::thread before its object goes out of scope.");
  out.whose = responsible(f);
  return out;
}

// What the program printed last about a check, where its standard error was kept: a library that prints such a line and
// a backtrace, and then aborts, leaves the text nowhere else.
Words printed_check(const Facts& f) {
  const auto tail = text_with(f, TextKind::stderr_tail, {});
  if (!tail) return {};
  const auto& text = f.snapshot.texts[*tail].text;
  std::size_t at = std::string::npos;
  for (const std::string_view words : {"Check failed", "CHECK failed", "check failed", "Assertion failed", "ssertion `"})
    if (const auto found = text.rfind(words); found != std::string::npos && (at == std::string::npos || found > at)) at = found;
  if (at == std::string::npos) return {};
  const auto start = text.rfind('\n', at) + 1;
  return {tail, one_line(text.substr(start, text.find('\n', at) - start), 160)};
}

// Only where the program's own function called it: a library's silent abort can mean anything.
std::optional<Finding> by_bare_abort(const Facts& f) {
  if (f.signal != SIGABRT || !f.abort_caller || f.raised == Raised::by_process) return std::nullopt;
  const auto& frame = f.frames[*f.abort_caller];
  const bool own = frame.family == Family::program || frame.family == Family::user || frame.family == Family::extension;
  const bool by_script = frame.family == Family::python && frame.function.starts_with("os_abort");
  if ((!own && !by_script) || frame.role != Role::other) return std::nullopt;
  const auto who = by_script ? "os.abort() in the Python program" : frame_text(f, *f.abort_caller);
  const auto printed = printed_check(f);
  Finding out =
      printed.text
          ? finding(Cause::failed_check, Strength::strong, printed.shown)
          : finding(Cause::failed_check, Strength::plausible,
                    fmt::format("{} may have given up on purpose: it called abort() without a message we could find", who));
  if (printed.text)
    out.evidence_for.push_back(fact("text", fmt::format("the program printed: {}", printed.shown), {text_ref(*printed.text)}));
  out.evidence_for.push_back(
      frame_fact(f, *f.abort_caller, fmt::format("{} called abort() itself", frame_text(f, *f.abort_caller))));
  out.rival = printed.text ? "a message left from an earlier failure, while it stopped for another reason"
                           : "abort() called for a reason that is not a check";
  out.fix.push_back(printed.text ? "The check names what it did not accept: look at the values that led there."
                                 : fmt::format("Look at why {} calls abort() there; let it print the reason first.",
                                               function_text(f, *f.abort_caller)));
  out.whose = by_script ? Whose::your_code : whose_of(frame.family);
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (!gave_up(f) || heap_message(f) || has_role(f, Role::stack_check)) return std::nullopt;
  for (const auto way : {by_pure_virtual, by_words, by_thread_at_exit, by_terminate, by_bare_abort})
    if (auto found = way(f)) return found;
  return std::nullopt;
}

}  // namespace

extern const Rule failed_check{.title = "failed check", .check = check};

}  // namespace sigwhy::diagnose::rules
