// Memory that was given back is used again. Without a record of frees this is seen only by what free leaves behind:
// a hole where a large block had its own mapping, a free-list link where a pointer was, a debug heap's fill.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/array_phrases.h"
#include "diagnose/bounds.h"
#include "diagnose/guard_findings.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"

namespace sigwhy::diagnose::rules {

namespace {

Finding start(const Facts& f, Strength strength, std::string_view claim) {
  Finding out = finding(Cause::use_after_free, strength, claim);
  out.fix.push_back(keep_the_owner);
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap the access is caught and the free that came before is named";
  return out;
}

// Right behind memory in use the same address is reached by a walk in steps that are larger than what they touch.
// Whatever touches everything on its way would have stopped at the page's first byte.
bool could_be_overrun(const Facts& f, const MemoryFault& m) {
  const bool adjacent =
      m.place.lower && m.place.behind_bytes < page_bytes && is_data(f.snapshot.regions[*m.place.lower]);
  const bool contiguous = m.width_bytes.value_or(0) >= 16 || f.frames.empty() || f.frames[0].role == Role::bulk_copy;
  return adjacent && !contiguous;
}

// An array that is still alive, and nothing is mapped where its elements should be.
std::optional<Finding> by_array(const Facts& f) {
  if (f.signal != SIGSEGV || !f.array_access || !f.array_access->gone) return std::nullopt;
  const auto& name = f.arrays[f.array_access->array].name;
  Finding out = start(f, Strength::strong,
                      fmt::format("{} {}, whose memory was given back: nothing is mapped there any more", subject(f),
                                  array_access_text(f)));
  for (auto& fact : array_access_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(fact("gone", fmt::format("nothing is mapped at the address, nor where {} starts", name),
                                  {array_ref(f.array_access->array), place_ref(f.memory->place)}));
  out.evidence_for.push_back(access_fact(f));
  out.rival = fmt::format("{} was made from an address that was never right", name);
  return out;
}

// The operand's own registers or the view's shape say how the address came about.
bool array_explains(const Facts& f) {
  return f.array_access &&
         (f.array_access->promised || f.array_access->tie == Tie::base || f.array_access->tie == Tie::sum);
}

std::optional<Finding> by_hole(const Facts& f) {
  const auto block = unmapped_block_start(f);
  if (f.signal != SIGSEGV || !block || array_explains(f)) return std::nullopt;
  const auto& m = *f.memory;
  const auto strength = could_be_overrun(f, m) ? Strength::plausible : Strength::strong;
  const auto from = f.named_pointer ? fmt::format(", at the address in `{}`", f.named_pointer->name) : std::string();
  Finding out = start(f, strength,
                      fmt::format("{} {} {} a large block that {} given back{}", subject(f), did(m),
                                  m.address == *block ? "at the start of" : "in",
                                  strength == Strength::strong ? "was" : "may have been", from));
  out.evidence_for.push_back(access_fact(f));
  for (auto& fact : named_pointer_facts(f)) out.evidence_for.push_back(std::move(fact));
  out.evidence_for.push_back(fact(
      "hole",
      fmt::format(
          "the pointer is {} bytes behind the start of a page that is mapped no more, as malloc returns large blocks",
          block->value % page_bytes),
      {ref("/fault/address"), place_ref(m.place)}));
  out.rival = strength == Strength::strong ? "a pointer that was never right and ends like one of malloc's by chance"
                                           : "a walk in steps over the end of the memory right before it";
  return out;
}

struct Suspect {
  std::uint64_t value = 0;
  Cause ended_as;
  std::string use;  // "f() read 8 bytes through"
};

std::optional<Suspect> suspect(const Facts& f) {
  if (f.jump && f.jump->target.value != 0)
    return Suspect{f.jump->target.value, Cause::bad_jump,
                   (f.jump->caller ? frame_text(f, *f.jump->caller) : program_text(f)) + " called through"};
  if (!f.memory || f.inside_heap || f.stack_end || (f.signal != SIGSEGV && f.code != si_kernel)) return std::nullopt;
  return Suspect{suspect_value(*f.memory), Cause::wild_pointer, subject(f) + " " + did(*f.memory) + " through"};
}

Fact how(const Facts& f) {
  return f.memory ? access_fact(f) : fact("target", "the call went to where no code is", {ref("/fault/pc")});
}

std::optional<Finding> by_value(const Facts& f) {
  const auto s = suspect(f);
  if (!s) return std::nullopt;
  const auto shapes = shapes_of(f, s->value);
  const auto* fill = shape_in(shapes, Shape::freed_fill);
  const auto* mark = shape_in(shapes, Shape::freed_mark);
  const auto* link = mark ? nullptr : shape_in(shapes, Shape::heap_link);
  const auto* seen = fill ? fill : mark ? mark : link;
  const auto block = fill ? std::nullopt : link_holder(f);
  const Pointer* holder = block ? &f.snapshot.pointers[*block] : nullptr;
  const bool freed = holder && holder->block->state == BlockState::freed;
  if (!seen && !freed) return std::nullopt;
  // A constructor sets the table of functions: where it is a link, the object is gone, whoever has the block now.
  const bool object = link && is_freed_object(f, s->value);
  if (holder && !freed && !object) return std::nullopt;  // the block that holds the link is alive: never initialised
  const auto strength = fill || freed || object ? Strength::strong : Strength::plausible;
  Finding out = start(f, strength,
                      fmt::format("{} a pointer {} read from a block that was freed", s->use,
                                  strength == Strength::strong ? "" : "that may have been"));
  out.explains = s->ended_as;
  out.evidence_for.push_back(how(f));
  if (seen) out.evidence_for.push_back(fact("value", "the pointer is " + seen->words, seen->evidence));
  if (freed)
    out.evidence_for.push_back(fact("block",
                                    fmt::format("a freed block of {} holds exactly this word ({})",
                                                bytes_text(holder->block->bytes), one_line(holder->block->detail, 80)),
                                    {ref(fmt::format("/pointers/{}", block.value()))}));
  if (object && !freed)
    out.evidence_for.push_back(fact("object", "rdi has the object of the call, and the link fits a freed block just there",
                                    {register_ref(f, "rdi")}));
  if (fill) out.rival = "the program uses that byte for something of its own";
  else if (mark && !freed) out.rival = "a walk over the end of something else, into a block that is free";
  else if (freed) out.rival = "a number of the program's own that is the same by chance";
  else out.rival = "a block in use that was never initialised and still holds the link";
  return out;
}

// The first word of a freed medium block points into malloc's own state, which lies in the C library's data.
std::optional<Finding> by_allocator_data(const Facts& f) {
  const Region* at = f.jump ? region_at(f, f.jump->place) : nullptr;
  if (!at || !is_writable(*at) || !file_name(at->path).starts_with("libc")) return std::nullopt;
  const auto who = f.jump->caller ? frame_text(f, *f.jump->caller) : program_text(f);
  Finding out = start(f, Strength::plausible,
                      fmt::format("{} may have taken a function pointer from a block that was freed", who));
  out.explains = Cause::bad_jump;
  out.evidence_for.push_back(
      fact("target", "the call went into the C library's data, where malloc keeps its lists of free blocks",
           {ref("/fault/pc"), place_ref(f.jump->place)}));
  out.rival = "a function pointer that was overwritten";
  return out;
}

// A callback that C code still calls while the Python object behind it is gone.
std::optional<Finding> by_dead_callback(const Facts& f) {
  if (!f.memory || f.memory->place.region || f.frames.empty()) return std::nullopt;
  // in the bridge itself: what it keeps of the callback is spoilt, and Python was not reached
  const bool in_bridge = f.frames[0].role == Role::callback;
  if (!in_bridge && f.frames[0].family != Family::python) return std::nullopt;
  const auto callback = first_with(f, Role::callback);
  if (!callback || f.stack_end) return std::nullopt;
  for (std::size_t i = 0; i < *callback; ++i)
    if (f.frames[i].function.find("PyEval_EvalFrame") != std::string::npos) return std::nullopt;
  Finding out = start(f, in_bridge ? Strength::strong : Strength::plausible,
                      in_bridge ? "C code called a Python callback that no longer exists"
                                : "C code may have called a Python callback that no longer exists");
  out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(
      frame_fact(f, *callback, "C code was calling back into Python, and no Python code was running yet or any more"));
  out.rival = "an object of the callback that was damaged otherwise";
  out.fix.insert(
      out.fix.begin(),
      "Keep the callback object (the CFUNCTYPE instance) in a variable for as long as the library may call it.");
  return out;
}

std::optional<Finding> by_pure_virtual(const Facts& f) {
  const auto call = frame_named(f, "__cxa_pure_virtual");
  if (f.signal != SIGABRT || !call) return std::nullopt;
  for (const auto& frame : f.frames) {
    const auto scope = frame.function.rfind("::");
    if (scope == std::string::npos) continue;
    const auto name = frame.function.substr(scope + 2), outer = frame.function.substr(0, scope);
    if (name.starts_with('~') || outer == name || outer.ends_with("::" + name))
      return std::nullopt;  // in a constructor or destructor
  }
  Finding out =
      start(f, Strength::plausible, "a virtual function may have been called on an object that was already destroyed");
  out.explains = Cause::failed_check;
  out.evidence_for.push_back(
      frame_fact(f, *call, "a pure virtual function was called, and no constructor or destructor is on the stack"));
  out.rival = "an object still under construction in another thread";
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = guarded_use_after_free(f)) return found;
  for (const auto way : {by_array, by_hole, by_value, by_allocator_data, by_dead_callback, by_pure_virtual})
    if (auto found = way(f)) return found;
  return std::nullopt;
}

}  // namespace

extern const Rule use_after_free{.title = "use after free", .check = check};

}  // namespace sigwhy::diagnose::rules
