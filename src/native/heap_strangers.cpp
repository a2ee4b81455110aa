#include "native/heap_strangers.h"

#include <algorithm>
#include <set>
#include <string_view>

#include "native/heap.h"
#include "native/heap_glibc.h"
#include "native/pointers.h"
#include "native/reach.h"
#include "native/texts.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_stack_bytes = 4096;
constexpr std::size_t most_blocks_looked_at = 128;

bool gives_back(std::string_view symbol) {
  constexpr std::string_view names[] = {"free", "cfree", "realloc", "__libc_free", "__GI___libc_free", "__libc_realloc", "__GI___libc_realloc"};
  return std::ranges::find(names, symbol.substr(0, symbol.find('('))) != std::end(names);
}

// What the frames below the caller of free keep in registers and on the stack.
std::set<std::uint64_t> words_below(const Target& target, const Frame& caller) {
  std::set<std::uint64_t> words;
  for (const auto& [name, value] : general_registers(target)) words.insert(value);
  if (!caller.stack_pointer || target.threads.empty() || !target.threads[0].registers) return words;
  const std::uint64_t low = target.threads[0].registers->rsp, high = caller.stack_pointer->value;
  if (high <= low) return words;
  for (const auto word : stack_words(target, std::min<std::size_t>(high - low, most_stack_bytes))) words.insert(word);
  return words;
}

bool is_own_memory(const Target& target, Address a) {
  const Mapping* m = mapping_of(target, a);
  return m && m->writable && !m->shared && m->inode == 0 && (m->path.empty() || m->path.starts_with("[anon"));
}

// free() keeps the pointer and the chunk in front of it; a word that is there in both forms is the pointer.
bool is_no_block_of_glibc(const Target& target, const std::set<std::uint64_t>& words, std::uint64_t word) {
  return words.contains(word - chunk_header_bytes) && is_own_memory(target, {word}) && !heap_of(target, {word}) && !block_at(target, {word});
}

// glibc looks at the size in front of the pointer first, and at the block behind only where that is one. What a stack
// holds by chance (an address and that plus 16, in Python's own arenas) seldom has both.
bool fits_the_complaint(const Target& target, std::uint64_t word) {
  const auto message = abort_message(target);
  const auto says = [&](std::string_view words) { return message && message->text.find(words) != std::string::npos; };
  if (!says("double free or corruption") && !says("invalid next size")) return true;
  const auto size = target.memory->read_value<std::uint64_t>(Address{word} - 8).value_or(0) & ~std::uint64_t{7};
  if (size < 2 * chunk_header_bytes || size % 16 != 0) return false;
  const auto next = target.memory->read_value<std::uint64_t>(Address{word + size} - 8);
  return !says("(!prev)") || (next && !(*next & 1));
}

bool is_block_of_glibc(const Target& target, std::uint64_t word) {
  if (!is_own_memory(target, {word}) && !heap_of(target, {word})) return false;
  const auto block = block_at(target, {word});
  return block && block->start.value == word && (block->state == BlockState::in_use || block->state == BlockState::unknown);
}

}  // namespace

std::optional<std::size_t> freeing_frame(const std::vector<Frame>& frames, const std::vector<Module>& modules) {
  const auto lies_in = [&](std::size_t i, auto&& is_it) {
    return i < frames.size() && frames[i].module && *frames[i].module < modules.size() && is_it(*frames[i].module);
  };
  const auto is_free = [&](std::size_t i) { return frames[i].symbol && gives_back(*frames[i].symbol); };
  std::size_t i = 0;
  while (lies_in(i, [&](std::uint64_t m) { return names_libc(modules[m].path); }) && !is_free(i)) ++i;
  if (i >= frames.size() || !frames[i].module) return std::nullopt;
  const auto home = *frames[i].module;
  std::optional<std::size_t> found;
  for (; lies_in(i, [&](std::uint64_t m) { return m == home; }); ++i)
    if (is_free(i)) found = i;
  const bool called = found && i < frames.size() && frames[i].module && frames[i].trust != Trust::scan;
  return called ? found : std::nullopt;
}

std::optional<Pointer> stranger_given_to_free(const Target& target, const std::vector<Frame>& frames,
                                              const std::vector<Module>& modules, const std::vector<Region>& regions) {
  const auto call = freeing_frame(frames, modules);
  if (!call) return std::nullopt;
  const bool to_glibc = names_libc(modules[*frames[*call].module].path);
  const auto words = words_below(target, frames[*call + 1]);
  std::optional<std::uint64_t> only;
  std::size_t looked_at = 0;
  for (const auto word : words) {
    if (word == 0 || word % 16 != 0 || !is_writable(target, {word})) continue;
    if (++looked_at > most_blocks_looked_at) return std::nullopt;
    if (!(to_glibc ? is_no_block_of_glibc(target, words, word) && fits_the_complaint(target, word) : is_block_of_glibc(target, word))) continue;
    if (only) return std::nullopt;
    only = word;
  }
  if (!only) return std::nullopt;
  return describe_pointer("freed", {*only}, target, regions);
}

}  // namespace sigwhy::native
