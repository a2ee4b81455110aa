#include "diagnose/foreign_free.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/heap_messages.h"
#include "diagnose/library_copies.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

bool is_at(const Facts& f, std::size_t frame, std::uint64_t module) {
  return frame < f.dying->frames.size() && f.dying->frames[frame].module == module;
}

// The frame of free() in `module`, below which nothing else runs.
std::optional<std::size_t> freeing_frame(const Facts& f, std::uint64_t module) {
  for (std::size_t i = 0; i + 1 < f.dying->frames.size(); ++i) {
    if (!is_at(f, i, module) && f.frames[i].family != Family::libc) return std::nullopt;
    if (is_at(f, i, module) && !is_at(f, i + 1, module) && gives_back(f.frames[i].function)) return i;
  }
  return std::nullopt;
}

// One that is known for its own heap. What else offers malloc (the inventory calls it "malloc of ...") may be a wrapper
// that counts calls and hands them on to the C library.
bool has_own_heap(const Facts& f, const Library& library) {
  return library.family == "allocators" && library.module < f.snapshot.modules.size() && !library.name.starts_with("malloc of ");
}

std::optional<std::size_t> allocator_in(const Facts& f, std::uint64_t module) {
  const auto& libraries = f.snapshot.inventory->libraries;
  for (std::size_t i = 0; i < libraries.size(); ++i)
    if (libraries[i].module == module && has_own_heap(f, libraries[i])) return i;
  return std::nullopt;
}

bool is_libc(const Facts& f, std::uint64_t module) { return module < f.snapshot.modules.size() && family_of(f.snapshot.modules[module]) == Family::libc; }

// glibc refuses the pointer, or falls over what stands in front of it. Most of its words are as well about a block of
// its own, which only the pointer can rule out.
bool libc_refuses(const Facts& f, bool pointer_known) {
  const auto message = heap_message(f);
  if (message) return pointer_known || message->words == HeapWords::no_block || message->words == HeapWords::bad_pointer;
  return pointer_known && f.memory && f.inside_heap;
}

std::optional<ForeignFree> given_to_libc(const Facts& f) {
  const auto& all = f.snapshot.inventory->crossings;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto pointer = pointer_with_role(f, "freed");
    if (!is_libc(f, all[i].bound_to) || !libc_refuses(f, pointer.has_value())) continue;
    const auto library = allocator_in(f, all[i].expected);
    const auto frame = freeing_frame(f, all[i].bound_to);
    if (!library || !frame || !is_at(f, *frame + 1, all[i].user)) continue;
    // A block of its own that was damaged, or freed before, is a matter of the C library's heap alone.
    if (pointer && f.snapshot.pointers[*pointer].block) return std::nullopt;
    const Region* at = pointer ? region_at(f, place_of(f.snapshot, f.snapshot.pointers[*pointer].value)) : nullptr;
    if (pointer && (!at || at->kind != RegionKind::anonymous)) return std::nullopt;
    return ForeignFree{*frame, *library, true, pointer, i};
  }
  return std::nullopt;
}

std::optional<ForeignFree> given_by_libc(const Facts& f) {
  const auto pointer = pointer_with_role(f, "freed");
  const auto* block = pointer && f.snapshot.pointers[*pointer].block ? &*f.snapshot.pointers[*pointer].block : nullptr;
  if (!block || block->start != f.snapshot.pointers[*pointer].value) return std::nullopt;
  for (std::size_t i = 0; i < f.snapshot.inventory->libraries.size(); ++i) {
    const auto& library = f.snapshot.inventory->libraries[i];
    if (!has_own_heap(f, library)) continue;
    if (const auto frame = freeing_frame(f, library.module)) return ForeignFree{*frame, i, false, pointer, std::nullopt};
  }
  return std::nullopt;
}

const std::string& name_of(const Facts& f, const ForeignFree& free) { return f.snapshot.inventory->libraries[free.library].name; }

}  // namespace

std::optional<ForeignFree> foreign_free(const Facts& f) {
  if (!f.dying || !f.snapshot.inventory || !died_by_its_own_doing(f)) return std::nullopt;
  const auto found = given_to_libc(f);
  return found ? found : given_by_libc(f);
}

std::string given_text(const Facts& f, const ForeignFree& free) {
  return free.to_c_library ? std::string("memory that is not the C library's with the C library's free()")
                           : fmt::format("a block of the C library's heap with the free() of {}", name_of(f, free));
}

Fact given_fact(const Facts& f, const ForeignFree& free) {
  const auto& pointer = f.snapshot.pointers[*free.pointer];
  auto where = free.to_c_library ? std::string("the pointer lies in memory that is no heap of the C library's")
                                 : fmt::format("the C library's own headers show {} in use at the pointer", bytes_text(pointer.block->bytes));
  return fact("freed", std::move(where), {ref(fmt::format("/pointers/{}", *free.pointer))});
}

std::optional<Finding> mixed_allocators(const Facts& f) {
  const auto free = foreign_free(f);
  if (!free) return std::nullopt;
  const auto who = frame_text(f, free->frame + 1);
  const auto copy = copy_text(f.snapshot, free->library);
  Finding out = finding(Cause::mixed_libraries, free->pointer ? Strength::strong : Strength::plausible,
                        fmt::format("two allocators met: {} {} {}; the program also uses {}", who, free->pointer ? "freed" : "may have freed",
                                    given_text(f, *free), copy));
  if (!free->to_c_library) out.claim = fmt::format("two allocators met: {} freed {}", who, given_text(f, *free));
  std::vector<EvidenceRef> refs = {frame_ref(f, free->frame), frame_ref(f, free->frame + 1)};
  if (free->crossing) refs.push_back(ref(fmt::format("/inventory/crossings/{}", *free->crossing)));
  out.evidence_for.push_back(fact(crossing_fact,
                                  free->to_c_library ? fmt::format("{} calls the C library's free(); the rest of the program gets {}'s", module_text(f, free->frame + 1), name_of(f, *free))
                                                     : fmt::format("on the stack {} called {}'s free()", who, name_of(f, *free)),
                                  std::move(refs)));
  if (free->pointer) out.evidence_for.push_back(given_fact(f, *free));
  out.evidence_for.push_back(copy_fact(f.snapshot, free->library));
  out.rival = free->to_c_library ? "memory that came from no allocator at all (mmap, a pool)" : "a pointer to a block that somebody else still owns";
  out.fix.push_back("Let the library that made a block free it, or give both one allocator: no second one preloaded, nothing opened with RTLD_DEEPBIND.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = fmt::format("without {} it does not die here", name_of(f, *free));
  return out;
}

}  // namespace sigwhy::diagnose
