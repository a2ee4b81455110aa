// The instruction pointer is where no code is: a call through a null or wrong function pointer, a return address
// that was overwritten, a callback whose code is gone. The fact itself is certain; who spoilt the pointer is not.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string destination(const Facts& f, const Jump& jump) {
  if (jump.target.value == 0) return "a null pointer";
  if (!jump.target.canonical()) return "an address that cannot exist";
  if (jump.place.region) return region_text(f, *jump.place.region) + ", which is not code";
  return "an address where nothing is mapped";
}

std::string words(const Facts& f, const Jump& jump) {
  const auto to = destination(f, jump);
  if (!jump.caller) return fmt::format("the program jumped to {}", to);
  const auto who = frame_text(f, *jump.caller);
  if (jump.by_return) return fmt::format("{} returned to {}", who, to);
  if (jump.target.value == 0) return fmt::format("{} called a function through a null pointer", who);
  return fmt::format("{} called a function at {}", who, to);
}

Finding by_jump(const Facts& f) {
  const Jump& jump = *f.jump;
  Finding out = finding(Cause::bad_jump, Strength::proven, words(f, jump));
  out.evidence_for.push_back(fact("target", fmt::format("the instruction pointer went to {}", destination(f, jump)),
                                  {ref("/fault/pc"), place_ref(jump.place)}));
  if (jump.caller) {
    const bool by_slot = f.dying->frames[*jump.caller].trust == Trust::return_slot;
    out.evidence_for.push_back(
        frame_fact(f, *jump.caller,
                   fmt::format("{} is {}", by_slot ? "the return address on the stack" : "the caller",
                               frame_text(f, *jump.caller))));
  }
  if (jump.target.value != 0)
    for (const auto& shape : shapes_of(f, jump.target.value))
      out.evidence_for.push_back(fact("value", "the address is " + shape.words, shape.evidence));
  const auto caller = jump.caller ? function_text(f, *jump.caller) : std::string("the caller");
  if (jump.target.value == 0)
    out.fix.push_back(fmt::format("Find the function pointer that {} calls: it was never set, or something wrote over it.", caller));
  else
    out.fix.push_back(fmt::format(
        "Find the function pointer that {} calls: it was overwritten, cut short, or outlived its code.", caller));
  out.whose = whose_of_frame(f, jump.caller);
  if (out.whose == Whose::unknown) out.whose = responsible(f);
  out.retryable = Retryable::no;
  return out;
}

// Bytes that are no instruction at all: data was run as code, or code was overwritten.
std::optional<Finding> by_bytes(const Facts& f) {
  if (f.signal != SIGILL || f.raised != Raised::by_instruction || !f.snapshot.fault) return std::nullopt;
  const bool decoded = f.instruction && !f.instruction->mnemonic.empty();
  const auto place = place_of(f.snapshot, f.snapshot.fault->pc);
  const Region* at = region_at(f, place);
  if (!at || decoded) return std::nullopt;
  Finding out = finding(Cause::bad_jump, Strength::plausible,
                        fmt::format("the program may have run data as code: there is no instruction in {}",
                                    region_text(f, *place.region)));
  out.evidence_for.push_back(
      fact("bytes", "the bytes at the instruction pointer decode to nothing",
           {f.instruction ? ref("/fault/instruction/bytes") : ref("/fault/pc"), region_ref(*place.region)}));
  out.rival = "an instruction newer than the decoder, or code that was overwritten";
  out.fix.push_back("Look at the function pointer or the generated code that led there.");
  out.whose = responsible(f);
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (f.jump) return by_jump(f);
  return by_bytes(f);
}

}  // namespace

extern const Rule bad_jump{.title = "bad jump", .check = check};

}  // namespace sigwhy::diagnose::rules
