// The allocator found its own data damaged, or died of it. Whoever wrote there has usually left long ago: the
// function on the stack is the one that happened to allocate or free next. So it is strong at most, and the
// fix starts with finding the writer.
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/array_phrases.h"
#include "diagnose/heap_messages.h"
#include "diagnose/guard_findings.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"
#include "evidence/array_words.h"

namespace sigwhy::diagnose::rules {

namespace {

void finish(const Facts& f, Finding& out) {
  if (f.culprit)
    out.evidence_against.push_back(
        frame_fact(f, *f.culprit, fmt::format("{} only noticed it", frame_text(f, *f.culprit))));
  out.fix.push_back(
      "Look for a write past the end of a block, or to a block already freed, before this point; the functions on the "
      "stack only found it.");
  out.fix.push_back("Run it again with --guard=all: it stops at the write itself.");
  out.whose = Whose::unknown;
  out.retryable = Retryable::unknown;
  out.prediction = "on the guarded heap it dies earlier, at the write that did the damage";
}

void add_block(const Facts& f, std::size_t index, Finding& out) {
  const auto& block = f.snapshot.pointers[index].block;
  if (!block || block->state != BlockState::corrupted || block->detail.empty()) return;
  out.evidence_for.push_back(fact("block", fmt::format("the damaged block: {}", one_line(block->detail, 120)),
                                  {ref(fmt::format("/pointers/{}/block", index))}));
}

// The array in front of what is damaged is the first suspect: most overruns are short.
void add_array(const Facts& f, std::size_t pointer, Finding& out) {
  const Pointer& p = f.snapshot.pointers[pointer];
  const bool damaged = p.block && p.block->state == BlockState::corrupted;
  if (!damaged && p.role != "damaged") return;
  const auto before = array_ending_at(f, p.block ? p.block->start : p.value);
  if (!before) return;
  const auto& name = f.arrays[*before].name;
  out.claim = one_line(fmt::format("the heap is damaged right behind {}; malloc noticed it now", name), longest_claim);
  out.evidence_for.push_back(
      fact("array",
           fmt::format("the damage begins where {} ends: {}, {}", name, array_text(f.snapshot.arrays[*before]),
                       bytes_text(f.snapshot.arrays[*before].bytes)),
           {array_ref(*before), ref(fmt::format("/pointers/{}", pointer))}));
  out.fix.insert(out.fix.begin(), fmt::format("Look at what writes to {}: is it written as the type and the number of "
                                              "elements that it has?",
                                              name));
}

std::optional<Finding> by_words(const Facts& f) {
  const auto message = heap_message(f);
  if (!message || message->words == HeapWords::in_thread_cache) return std::nullopt;
  const auto said = one_line(f.snapshot.texts[message->text].text, 60);
  Finding out = finding(Cause::heap_corruption, Strength::strong,
                        fmt::format("the heap was damaged earlier; malloc noticed it now (\"{}\")", said));
  out.evidence_for.push_back(fact("text", fmt::format("glibc's own check says: {}", said), {text_ref(message->text)}));
  for (const auto role : {"freed", "damaged"})
    if (const auto index = pointer_with_role(f, role)) {
      add_block(f, *index, out);
      add_array(f, *index, out);
    }
  out.rival = "a block that was freed twice, or a pointer that malloc never returned";
  finish(f, out);
  return out;
}

std::optional<Finding> by_fault(const Facts& f) {
  if (!f.inside_heap || !f.memory || f.stack_end) return std::nullopt;
  const auto call = function_text(f, *f.heap_call);
  Finding out =
      finding(Cause::heap_corruption, Strength::strong,
              fmt::format("{} followed a damaged pointer of its own: the heap was overwritten earlier", call));
  out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(frame_fact(f, *f.heap_call, fmt::format("the fault is inside {}", call)));
  for (const auto& shape : shapes_of(f, suspect_value(*f.memory)))
    out.evidence_for.push_back(fact("value", "the pointer is " + shape.words, shape.evidence));
  if (f.memory->index)
    for (const auto& shape : shapes_of(f, f.memory->index->value))
      out.evidence_for.push_back(
          fact("value", fmt::format("{} is {}", f.memory->index->name, shape.words), shape.evidence));
  out.rival = gives_back(f.frames[*f.heap_call].function) ? "a pointer that malloc never returned was given to it"
                                                          : "a block that was freed twice";
  finish(f, out);
  return out;
}

// Python keeps small objects in a heap of its own; a broken object or reference count shows there too.
std::optional<Finding> by_python(const Facts& f) {
  if (!f.memory || f.stack_end || f.frames.empty() || f.frames[0].role != Role::python_heap) return std::nullopt;
  Finding out = finding(Cause::heap_corruption, Strength::plausible,
                        fmt::format("Python's memory may have been overwritten earlier: {} follows a damaged pointer",
                                    function_text(f, 0)));
  out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(frame_fact(f, 0, "the fault is inside Python's own memory management"));
  out.rival = "a wrong reference count in an extension, or a thread that ran Python without the GIL";
  finish(f, out);
  return out;
}

// A library that many programs use does not fill its own pointers with text or floats: something else wrote there,
// and has left the stack.
std::optional<Finding> by_foreign_data(const Facts& f) {
  if (!f.memory || f.stack_end || !f.culprit) return std::nullopt;
  const auto family = f.frames[*f.culprit].family;
  if (family != Family::framework && family != Family::python) return std::nullopt;
  const auto shapes = shapes_of(f, suspect_value(*f.memory));
  const auto* data = shape_in(shapes, Shape::data);
  if (!data) return std::nullopt;
  Finding out = finding(Cause::heap_corruption, Strength::plausible,
                        fmt::format("memory of {} may have been overwritten earlier: a pointer in it is {}",
                                    module_text(f, *f.culprit), data->words));
  out.evidence_for.push_back(access_fact(f));
  out.evidence_for.push_back(fact("value", "the pointer is " + data->words, data->evidence));
  out.rival = "a block that was freed and is used for other data now";
  finish(f, out);
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = guarded_heap_corruption(f)) return found;
  if (f.signal == SIGABRT) return by_words(f);
  if (f.signal != SIGSEGV && f.code != si_kernel) return std::nullopt;
  for (const auto way : {by_fault, by_python, by_foreign_data})
    if (auto found = way(f)) return found;
  return std::nullopt;
}

}  // namespace

extern const Rule heap_corruption{.title = "heap corruption", .check = check};

}  // namespace sigwhy::diagnose::rules
