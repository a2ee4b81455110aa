// free() was given something that is not a living block: one that was freed before, the middle of one, a local or
// static variable, or garbage. glibc's words alone prove it only for some of its checks; elsewhere the pointer
// itself must (where it lies, how it is aligned, which list it is in).
#include <fmt/format.h>
#include <signal.h>

#include "diagnose/array_phrases.h"
#include "diagnose/foreign_free.h"
#include "diagnose/heap_messages.h"
#include "diagnose/guard_findings.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"
#include "diagnose/value_shapes.h"
#include "evidence/array_words.h"

namespace sigwhy::diagnose::rules {

namespace {

constexpr std::uint64_t malloc_alignment = 16, most_alignment = 64;
constexpr const char* not_malloced = "memory that malloc did not give out";

struct Reason {
  Strength strength;
  std::string what;  // "a block that was freed before"
  Fact fact;
};

EvidenceRef pointer_ref(std::size_t index) { return ref(fmt::format("/pointers/{}", index)); }

bool twice(const std::string& what) { return what.find("freed before") != std::string::npos; }

// Zero-initialised statics lie in anonymous memory right behind their file's own; so may anything else that was mapped
// there, further on: Python's arenas do.
bool is_behind_static(const Facts& f, const Place& place, Address a) {
  constexpr std::uint64_t most_static_bytes = 256u << 10;
  const auto below = touching_below(f.snapshot, *place.region);
  if (!below || f.snapshot.regions[*place.region].kind != RegionKind::anonymous) return false;
  const Region& r = f.snapshot.regions[*below];
  return r.kind == RegionKind::file && is_writable(r) && a.value - r.end.value < most_static_bytes;
}

// What the allocator's headers say about the block.
std::optional<Reason> by_block(const Facts& f, std::size_t index) {
  const Pointer& p = f.snapshot.pointers[index];
  const auto is = [&](std::string what, std::string sentence) {
    return Reason{Strength::strong, std::move(what), fact("freed", std::move(sentence), {pointer_ref(index)})};
  };
  if (!p.block) return std::nullopt;
  if (p.block->state == BlockState::freed)
    return is("a block that was freed before",
              fmt::format("the block: {}", p.block->detail.empty() ? "it is free" : one_line(p.block->detail, 80)));
  if (p.block->state == BlockState::top)
    return is("a block that was freed before", "where the block was, the heap's unused end begins");
  if (p.block->state == BlockState::in_use && p.block->start < p.value)
    return is("the middle of a block", fmt::format("the pointer lies {} behind the start of a living block of {}",
                                                   bytes_text(static_cast<std::uint64_t>(p.value - p.block->start)),
                                                   bytes_text(p.block->bytes)));
  return std::nullopt;
}

// What the freed pointer itself tells.
std::optional<Reason> by_pointer(const Facts& f) {
  const auto index = pointer_with_role(f, "freed");
  if (!index) return std::nullopt;
  const Pointer& p = f.snapshot.pointers[*index];
  const auto is = [&](Strength s, std::string what, std::string sentence) {
    return Reason{s, std::move(what), fact("freed", std::move(sentence), {pointer_ref(*index)})};
  };
  const auto place = place_of(f.snapshot, p.value);
  const Region* at = region_at(f, place);
  if (p.value.value % malloc_alignment != 0)
    return is(Strength::proven, "a pointer that malloc cannot have returned",
              "the pointer is no multiple of 16; malloc's are");
  if (!at) return is(Strength::strong, "a pointer to nothing", "the pointer is mapped nowhere");
  if (at->kind == RegionKind::stack || at->kind == RegionKind::thread_stack)
    return is(Strength::proven, "the address of a local variable",
              fmt::format("the pointer lies in {}", region_text(f, *place.region)));
  if (at->kind == RegionKind::file)
    return is(Strength::proven, "the address of a static variable",
              fmt::format("the pointer lies in {}", region_text(f, *place.region)));
  if (is_behind_static(f, place, p.value))
    return is(Strength::strong, "the address of a static variable",
              "the pointer lies in the static data behind a file's own");
  return by_block(f, *index);
}

// The pointer leads to a block after all, whose header was overwritten.
bool header_is_damaged(const Facts& f) {
  const auto index = pointer_with_role(f, "freed");
  const auto* block = index && f.snapshot.pointers[*index].block ? &*f.snapshot.pointers[*index].block : nullptr;
  return block && block->state == BlockState::corrupted;
}

std::optional<Reason> by_words(const Facts& f, const HeapMessage& message) {
  const auto said = fact("text", fmt::format("glibc says: {}", one_line(f.snapshot.texts[message.text].text, 80)),
                         {text_ref(message.text)});
  switch (message.words) {
    case HeapWords::in_thread_cache: return Reason{Strength::proven, "a block that was freed before", said};
    case HeapWords::newest_in_bin:
    case HeapWords::is_top: return Reason{Strength::strong, "a block that was freed before", said};
    case HeapWords::no_block:
      if (header_is_damaged(f)) return std::nullopt;
      return Reason{Strength::strong, "a pointer that malloc did not return", said};
    default: return std::nullopt;
  }
}

// A library that many programs use frees what it was given by malloc; where that has become data, or lost its upper half,
// something else wrote over the pointer.
bool was_overwritten(const Facts& f, std::uint64_t given) {
  const auto family = f.culprit ? f.frames[*f.culprit].family : Family::unknown;
  if (family != Family::framework && family != Family::python) return false;
  const auto shapes = shapes_of(f, given);
  return shape_in(shapes, Shape::cut_pointer) || shape_in(shapes, Shape::data);
}

// A fault in free() at the header of the block it was given.
std::optional<Reason> by_fault(const Facts& f) {
  if (!f.memory || !f.inside_heap || !gives_back(f.frames[*f.heap_call].function) || f.signal != SIGSEGV)
    return std::nullopt;
  const auto given = register_value(f, "rdi");
  if (!given) return std::nullopt;
  const auto distance = static_cast<std::int64_t>(*given - f.memory->address.value);
  if (distance < 0 || distance > 32 || place_of(f.snapshot, {*given}).region) return std::nullopt;
  if (was_overwritten(f, *given)) return std::nullopt;
  return Reason{Strength::strong, "a pointer to nothing",
                fact("given", "free() was reading the header in front of the pointer it was given",
                     {register_ref(f, "rdi"), ref("/fault/address")})};
}

std::optional<Reason> by_other_heap(const Facts& f) {
  const auto free = foreign_free(f);
  if (!free || !free->pointer) return std::nullopt;
  return Reason{Strength::strong, given_text(f, *free), given_fact(f, *free)};
}

// Inside the memory of an array that is still alive, not at its start.
std::optional<Reason> by_array(const Facts& f, std::size_t index) {
  const Pointer& p = f.snapshot.pointers[index];
  const auto array = p.block ? std::nullopt : array_with_memory(f, p.value);
  const auto inside = array ? p.value.value - f.arrays[*array].memory->low : 0;
  if (inside == 0) return std::nullopt;
  const auto& name = f.arrays[*array].name;
  return Reason{Strength::strong, fmt::format("the middle of the memory of {}", name),
                fact("freed", fmt::format("the pointer lies {} behind the start of the memory of {}", bytes_text(inside), name),
                     {pointer_ref(index), array_ref(*array)})};
}

// Memory that the C library's heap has no block in: Python's own allocator, or a pool, made something of it. A large
// block with a mapping of its own begins with the page, and only its header tells it from that: it may be damaged. Python's
// own allocator hands on what it does not find in its pools, whose heads may be overwritten.
std::optional<Reason> by_no_heap(const Facts& f, std::size_t index) {
  const Pointer& p = f.snapshot.pointers[index];
  const Region* at = region_at(f, place_of(f.snapshot, p.value));
  const bool may_be_large = p.value.value % page_bytes <= most_alignment;
  const bool by_python = f.culprit && f.frames[*f.culprit].family == Family::python;
  if (p.block || !at || at->kind != RegionKind::anonymous || may_be_large || by_python) return std::nullopt;
  return Reason{Strength::strong, not_malloced,
                fact("freed", "the pointer lies in memory that is no heap of the C library's", {pointer_ref(index)})};
}

// The pointer is known, and no block begins there. The data in front of it is taken for a size, so that glibc may
// complain of anything, or follow it to nowhere.
std::optional<Reason> by_place(const Facts& f) {
  const auto index = pointer_with_role(f, "freed");
  if (!index) return std::nullopt;
  const Pointer& p = f.snapshot.pointers[*index];
  const bool inside = p.block && p.block->state == BlockState::in_use && p.block->start < p.value;
  const Region* at = region_at(f, place_of(f.snapshot, p.value));
  using enum RegionKind;
  const bool elsewhere = at && (at->kind == stack || at->kind == thread_stack || at->kind == file);
  if (inside || elsewhere) return by_pointer(f);
  if (auto array = by_array(f, *index)) return array;
  return by_no_heap(f, *index);
}

std::optional<Reason> reason_for(const Facts& f, const std::optional<HeapMessage>& message) {
  if (auto foreign = by_other_heap(f)) return foreign;
  const bool may_be_misplaced = message ? message->words == HeapWords::damaged : f.inside_heap;
  if (const auto place = may_be_misplaced ? by_place(f) : std::nullopt) return place;
  if (!message) return by_fault(f);
  const auto words = by_words(f, *message);
  if (words && words->strength == Strength::proven) return words;
  using enum HeapWords;
  const bool about_pointer = message->words == bad_pointer || message->words == marked_free;
  if (words || about_pointer)
    if (auto pointer = by_pointer(f)) return pointer;
  return words;
}

// An array that is still alive and has its data in that block: one of the two who took themselves for its owner.
void add_owner(const Facts& f, Finding& out) {
  const auto index = pointer_with_role(f, "freed");
  const auto array = index ? array_with_memory(f, f.snapshot.pointers[*index].value) : std::nullopt;
  if (!array) return;
  out.evidence_for.push_back(fact("owner",
                                  fmt::format("it is the memory of {}, {}, which is still alive", f.arrays[*array].name,
                                              array_text(f.snapshot.arrays[*array])),
                                  {array_ref(*array), pointer_ref(*index)}));
}

std::optional<Finding> check(const Facts& f) {
  if (auto found = guarded_invalid_free(f)) return found;
  const auto message = heap_message(f);
  const auto reason = reason_for(f, message);
  if (!reason) return std::nullopt;
  const auto who = f.culprit ? frame_text(f, *f.culprit) : program_text(f);
  Finding out = finding(Cause::invalid_free, reason->strength, fmt::format("{} freed {}", who, reason->what));
  out.evidence_for.push_back(reason->fact);
  add_owner(f, out);
  if (message && reason->fact.id != "text")
    out.evidence_for.push_back(fact("text",
                                    fmt::format("glibc says: {}", one_line(f.snapshot.texts[message->text].text, 80)),
                                    {text_ref(message->text)}));
  if (f.culprit)
    out.evidence_for.push_back(
        frame_fact(f, *f.culprit, fmt::format("the call came from {}", frame_text(f, *f.culprit))));
  if (out.strength != Strength::proven) out.rival = "the heap's own data, or the pointer, was overwritten earlier";
  if (twice(reason->what))
    out.fix.push_back("Let one owner free the block, and set the pointer to null when it is freed.");
  else out.fix.push_back("Free only what malloc (or new) returned, at exactly that address.");
  if (reason->what == not_malloced)
    out.fix.push_back("Give memory back to whom it came from: PyMem_Malloc's and PyObject_Malloc's to PyMem_Free and PyObject_Free.");
  out.whose = responsible(f);
  out.retryable = Retryable::no;
  out.prediction = "on the guarded heap the first free is recorded and the second one is named";
  if (!twice(reason->what)) out.prediction = "on the guarded heap the bad pointer is refused at the call";
  return out;
}

}  // namespace

extern const Rule invalid_free{.title = "invalid free", .check = check};

}  // namespace sigwhy::diagnose::rules
