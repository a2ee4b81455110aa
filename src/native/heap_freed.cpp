// Which pointer did free get? It is not recorded anywhere; but glibc just found its header wanting, and the pointer
// (or the chunk 16 below it) still lies in registers saved by the frames of free and its caller. Each complaint of
// glibc is a statement about the chunk's bytes: a word that does not make it true is not the pointer.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "native/heap.h"
#include "native/heap_tcache.h"
#include "native/heap_walk.h"
#include "native/pointers_looks.h"
#include "native/reach.h"
#include "native/texts.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t searched_stack_bytes = 4096;
constexpr std::size_t most_meant = 256;

struct Suspect {
  const Target& target;
  Heap heap;
  Chunk chunk;
};

using Verdict = std::optional<HeapBlock>;

HeapBlock judged(const Suspect& s, BlockState state, std::string detail) {
  const bool sized = fits(s.heap, s.chunk);
  return {s.chunk.memory(), sized ? s.chunk.size - 8 : 0, state, std::move(detail)};
}

std::optional<Chunk> next_of(const Suspect& s) {
  return fits(s.heap, s.chunk) ? chunk_at(*s.target.memory, s.chunk.next()) : std::nullopt;
}

Verdict freed_twice(const Suspect& s) {
  const auto list = fits(s.heap, s.chunk) ? free_list_of(s.target, s.heap, s.chunk) : std::nullopt;
  if (!list) return std::nullopt;
  return judged(s, BlockState::freed, "it was freed before: " + *list);
}

Verdict cached(const Suspect& s) {
  const auto second = s.target.memory->read_value<std::uint64_t>(s.chunk.memory() + 8);
  const bool is_cached = fits(s.heap, s.chunk) && s.chunk.size <= most_tcache_chunk_bytes && second &&
                         marks_cached_block(s.target, *second);
  return is_cached ? freed_twice(s) : std::nullopt;
}

Verdict first_of_fast_bin(const Suspect& s) {
  const std::uint64_t index = s.chunk.size / 16 - 2;
  if (!fits(s.heap, s.chunk) || !s.heap.state || index >= s.heap.state->fast_bins.size()) return std::nullopt;
  return s.heap.state->fast_bins[index] == s.chunk.at ? freed_twice(s) : std::nullopt;
}

Verdict is_top(const Suspect& s) {
  if (!s.heap.state || s.heap.state->top != s.chunk.at) return std::nullopt;
  return judged(s, BlockState::top, "it was freed before: it is part of the unused rest at the end of the heap");
}

// The block's last word is the one in front of that size field.
bool runs_on(const Chunk& next) {
  const auto kind = [](std::uint64_t word) {
    const auto looks = plain_looks(word);
    return looks.empty() ? std::string() : looks.front().substr(0, looks.front().find(':'));
  };
  return next.size_before == next.size_field ||
         (!kind(next.size_field).empty() && kind(next.size_before) == kind(next.size_field));
}

Verdict overrun(const Suspect& s) {
  const auto next = next_of(s);
  if (!next || fits(s.heap, *next)) return std::nullopt;
  return judged(s, BlockState::corrupted,
                "the size field of the block behind it holds " + with_looks(next->size_field) + ", which is no size" +
                    (runs_on(*next) ? "; the data in this block runs on into it" : ""));
}

// Freed and joined with a free block in front of it: the block behind then has the size of both.
bool is_joined(const Suspect& s, const Chunk& next) {
  if (next.size_before <= s.chunk.size || next.size_before > next.at.value - s.heap.start.value) return false;
  const auto whole = chunk_at(*s.target.memory, next.at - next.size_before);
  return whole && fits(s.heap, *whole) && whole->size == next.size_before &&
         free_list_of(s.target, s.heap, *whole).has_value();
}

// The next header says that this block is free, and nothing else does. Certain only where the block is one.
Verdict contradiction(const Suspect& s) {
  const auto around = chunk_around(s.target, s.heap, s.chunk.memory());
  const bool is_block = around && around->from_start && around->chunk.at == s.chunk.at;
  return judged(s, is_block ? BlockState::corrupted : BlockState::unknown,
                "its own header and the one behind it contradict each other");
}

Verdict marked_free(const Suspect& s) {
  const auto next = next_of(s);
  if (!next || next->before_in_use) return std::nullopt;
  if (!fits(s.heap, *next)) return overrun(s);
  if (auto twice = freed_twice(s)) return twice;
  if (next->size_before == s.chunk.size)
    return judged(s, BlockState::freed, "it was freed before: the block behind it says that this one is free");
  if (is_joined(s, *next))
    return judged(s, BlockState::freed, "it was freed before: it is part of a larger freed block");
  return contradiction(s);
}

// The pointer lies inside a block that a walk from the heap's start reaches: malloc never returned it.
Verdict inside_block(const Suspect& s) {
  const auto around = chunk_around(s.target, s.heap, s.chunk.memory());
  if (!around || !around->from_start || around->is_top || around->chunk.at == s.chunk.at) return std::nullopt;
  const auto into = static_cast<std::uint64_t>(s.chunk.memory() - around->chunk.memory());
  // 16 bytes in, a pointer to the block's own start already looks like the chunk of that pointer.
  if (into == chunk_header_bytes) return std::nullopt;
  return HeapBlock{around->chunk.memory(), around->chunk.size - 8, BlockState::in_use,
                   fmt::format("the pointer given to free lies {} bytes inside this block", into)};
}

Verdict own_header_broken(const Suspect& s) {
  const auto broken = first_broken_chunk(s.target, s.heap);
  if (!broken || broken->at != s.chunk.at) return std::nullopt;
  return judged(s, BlockState::corrupted,
                "its own size field holds " + with_looks(s.chunk.size_field) +
                    ", which is no size; the headers in front of it are sound");
}

Verdict bad_size(const Suspect& s) {
  if (fits(s.heap, s.chunk)) return std::nullopt;
  if (auto inside = inside_block(s)) return inside;
  return own_header_broken(s);
}

// free clears the mark that a block belongs to a thread's heap; freed again, it is taken for one of the main heap
// and lies outside of it.
Verdict outside(const Suspect& s) {
  if (!s.heap.is_main && !s.chunk.other_arena) return marked_free(s);
  return bad_size(s);
}

struct Complaint {
  std::string_view words;
  Verdict (*check)(const Suspect&);
};
constexpr Complaint complaints[] = {
    {"double free detected in tcache", cached},
    {"double free or corruption (fasttop)", first_of_fast_bin},
    {"double free or corruption (top)", is_top},
    {"double free or corruption (!prev)", marked_free},
    {"double free or corruption (out)", outside},
    {"invalid next size", overrun},
    {"free(): invalid size", bad_size},
    {"realloc(): invalid old size", bad_size},
    {"free(): invalid pointer", bad_size},
    {"realloc(): invalid pointer", bad_size},
    {"munmap_chunk(): invalid pointer", bad_size},
};

const Complaint* complaint_of(const Target& target) {
  const auto message = abort_message(target);
  if (!message) return nullptr;
  for (const auto& complaint : complaints)
    if (message->text.find(complaint.words) != std::string::npos) return &complaint;
  return nullptr;
}

struct Candidate {
  HeapBlock block;
  bool as_memory = false;  // seen as what free was given
  bool as_chunk = false;   // seen as what free made of it

  // That a pointer leads into the middle of a block, or to headers that do not fit, says little: most do.
  bool is_weak() const { return block.state == BlockState::in_use || block.state == BlockState::unknown; }
  bool in_both_forms() const { return as_memory && as_chunk; }
};

using Candidates = std::map<Address, Candidate>;  // by the pointer that free would have been given

struct Forms {
  bool as_memory = false;
  bool as_chunk = false;
};

// Each pointer that a word can stand for, judged once however often it occurs.
std::map<Address, Forms> meant_by(const Target& target, const std::vector<std::uint64_t>& words) {
  std::map<Address, Forms> meant;
  for (const auto word : words) {
    if (word % 16 != 0 || !is_writable(target, {word})) continue;
    meant[{word}].as_memory = true;
    meant[Address{word} + chunk_header_bytes].as_chunk = true;
    if (meant.size() >= most_meant) break;
  }
  return meant;
}

Candidates candidates(const Target& target, const Complaint& complaint, const std::vector<std::uint64_t>& words) {
  Candidates all;
  for (const auto& [memory, forms] : meant_by(target, words)) {
    const auto heap = heap_of(target, memory);
    const Address at = memory - chunk_header_bytes;
    const auto chunk = heap && at >= heap->start ? chunk_at(*target.memory, at) : std::nullopt;
    auto verdict = chunk ? complaint.check({target, *heap, *chunk}) : std::nullopt;
    if (verdict) all.emplace(memory, Candidate{std::move(*verdict), forms.as_memory, forms.as_chunk});
  }
  return all;
}

// The one that fits; of several the only one that is there in both forms.
Candidates::const_iterator only_one(const Candidates& all) {
  if (all.size() == 1) return all.begin();
  const auto in_both_forms = [](const auto& entry) { return entry.second.in_both_forms(); };
  return std::ranges::count_if(all, in_both_forms) == 1 ? std::ranges::find_if(all, in_both_forms) : all.end();
}

void drop_weak(Candidates& all) {
  const bool has_strong = std::ranges::any_of(all, [](const auto& entry) { return !entry.second.is_weak(); });
  std::erase_if(
      all, [&](const auto& entry) { return entry.second.is_weak() && (has_strong || !entry.second.in_both_forms()); });
}

}  // namespace

std::optional<Pointer> freed_block(const Target& target, const std::vector<std::uint64_t>& words) {
  const Complaint* complaint = complaint_of(target);
  if (!complaint) return std::nullopt;
  auto all = candidates(target, *complaint, words);
  drop_weak(all);
  const auto chosen = only_one(all);
  if (chosen == all.end()) return std::nullopt;
  Pointer pointer{.role = "freed", .value = chosen->first, .block = chosen->second.block};
  if (const auto index = mapping_at(target.mappings, pointer.value)) pointer.region = *index;
  return pointer;
}

std::optional<Pointer> freed_block(const Target& target) {
  std::vector<std::uint64_t> words;
  for (const auto& [name, value] : general_registers(target)) words.push_back(value);
  std::ranges::copy(stack_words(target, searched_stack_bytes), std::back_inserter(words));
  return freed_block(target, words);
}

}  // namespace sigwhy::native
