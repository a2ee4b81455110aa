// A function wrote over its own stack frame. Compilers put a secret word in front of the return address and check
// it on return (__stack_chk_fail). Without that check the function returns to whatever it wrote there.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr const char* advice = "Check the sizes of what is copied into this function's local arrays.";

std::optional<Finding> by_check(const Facts& f) {
  if (f.signal != SIGABRT) return std::nullopt;
  const auto text = text_with(f, TextKind::abort_message, {"stack smashing detected"});
  const auto frame = first_with(f, Role::stack_check);
  if (!frame && !(text && f.libc_gave_up)) return std::nullopt;
  const auto who = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  Finding out =
      finding(Cause::stack_smashed, Strength::proven,
              fmt::format("{} wrote over the end of a local array: the guard word of its stack frame is gone", who));
  if (text) out.evidence_for.push_back(fact("text", "glibc says: stack smashing detected", {text_ref(*text)}));
  if (frame)
    out.evidence_for.push_back(frame_fact(f, *frame, "the check of the guard word failed when the function returned"));
  if (f.culprit)
    out.evidence_for.push_back(
        frame_fact(f, *f.culprit, fmt::format("the function that returned is {}", frame_text(f, *f.culprit))));
  out.fix.push_back(advice);
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

Finding returned_nowhere(const Facts& f, Strength strength, std::string_view claim, Fact seen) {
  Finding out = finding(Cause::stack_smashed, strength, claim);
  out.explains = Cause::bad_jump;
  out.evidence_for.push_back(std::move(seen));
  for (const auto& shape : shapes_of(f, f.jump->target.value))
    out.evidence_for.push_back(fact("value", "the return address is " + shape.words, shape.evidence));
  out.rival = "a stack pointer that was off by then (hand-written assembly, a jump out of a frame that had ended)";
  out.fix.push_back(advice);
  out.fix.push_back("Compile with -fstack-protector-strong to be told at the moment it happens.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "compiled with -fstack-protector-all it ends with \"stack smashing detected\"";
  return out;
}

std::optional<Finding> by_return(const Facts& f) {
  if (!f.jump || f.frames.empty()) return std::nullopt;
  if (f.jump->by_return)
    return returned_nowhere(
        f, Strength::strong,
        fmt::format("{} returned to something that is no address: its stack frame was overwritten", frame_text(f, 0)),
        fact("return", "the return instruction itself was refused", {ref("/fault/instruction"), frame_ref(f, 0)}));
  if (!f.jump->left_no_return || f.jump->target.value == 0) return std::nullopt;
  return returned_nowhere(f, Strength::plausible,
                          "a function may have returned to an address that was overwritten on its stack",
                          fact("no-call", "a call would have left its return address on the stack, and none is there",
                               {ref("/fault/pc"), ref(fmt::format("/threads/{}", f.thread))}));
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = by_check(f)) return found;
  return by_return(f);
}

}  // namespace

extern const Rule stack_smashed{.title = "stack smashed", .check = check};

}  // namespace sigwhy::diagnose::rules
