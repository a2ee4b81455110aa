// A pointer was used that nobody ever set. Seen only by what was there before: a debug heap's fill for new memory,
// or the free-list link that a recycled block still holds.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/guard_findings.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose::rules {

namespace {

struct Sign {
  Strength strength;
  Fact fact;
  std::string rival;
};

std::optional<Sign> sign_of(const Facts& f, std::uint64_t value) {
  const auto shapes = shapes_of(f, value);
  if (const auto* fill = shape_in(shapes, Shape::fresh_fill))
    return Sign{Strength::strong, fact("value", "the pointer is " + fill->words, fill->evidence),
                "the program uses that byte for something of its own"};
  const auto block = shape_in(shapes, Shape::heap_link) ? link_holder(f) : std::nullopt;
  if (!block || f.snapshot.pointers[*block].block->state != BlockState::in_use || is_freed_object(f, value)) return std::nullopt;
  return Sign{Strength::plausible,
              fact("block", "a block in use still holds the link it had while it was free",
                   {ref(fmt::format("/pointers/{}/block", *block))}),
              "a block that was freed and then handed out again while it was in use"};
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = guarded_uninitialised_read(f)) return found;
  const bool jump = f.jump && f.jump->target.value != 0;
  if (!jump && (!f.memory || f.inside_heap || (f.signal != SIGSEGV && f.code != si_kernel))) return std::nullopt;
  const auto sign = sign_of(f, jump ? f.jump->target.value : suspect_value(*f.memory));
  if (!sign) return std::nullopt;
  const auto who = jump ? (f.jump->caller ? frame_text(f, *f.jump->caller) + " called through"
                                          : std::string("the program called through"))
                        : subject(f) + " " + did(*f.memory) + " through";
  const auto modal = sign->strength == Strength::strong ? "was never set" : "may never have been set";
  Finding out = finding(Cause::uninitialised_read, sign->strength, fmt::format("{} a pointer that {}", who, modal));
  out.explains = jump ? Cause::bad_jump : Cause::wild_pointer;
  if (!jump) out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(sign->fact);
  out.rival = sign->rival;
  out.fix.push_back("Set every member when the block is made (calloc, a constructor): malloc does not clear memory.");
  out.whose = responsible(f);
  out.retryable = Retryable::unknown;
  out.prediction = "with another fill byte (MALLOC_PERTURB_) the pointer's bytes change with it";
  return out;
}

}  // namespace

extern const Rule uninitialised_read{.title = "uninitialised read", .check = check};

}  // namespace sigwhy::diagnose::rules
