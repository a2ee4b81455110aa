#include "native/heap_given.h"

#include <signal.h>

#include <algorithm>
#include <array>
#include <set>

#include "native/file_backed_memory.h"
#include "native/heap_glibc.h"
#include "native/heap_strangers.h"
#include "native/modules.h"
#include "native/reach.h"
#include "native/symbols_called.h"
#include "native/unwind.h"
#include "native/value_source.h"

namespace sigwhy::native {

namespace {

using Kept = std::array<std::uint64_t, 6>;

Kept kept_by(const UnwindRegisters& r) {
  return {r.values[3], r.values[UnwindRegisters::rbp], r.values[12], r.values[13], r.values[14], r.values[15]};
}

// Functions that hand their first argument on to free as it is.
bool frees_first_argument(std::string_view name) {
  constexpr std::string_view names[] = {"free", "cfree", "realloc", "_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm"};
  return std::ranges::find(names, name) != std::end(names);
}

std::optional<Address> by_callers_code(const Target& target, const Frame& caller, const std::vector<Module>& modules) {
  const auto there = registers_of(target, modules, caller);
  const auto file = there ? open_module(target, modules[*caller.module]) : ModuleFile{};
  if (!file.elf) return std::nullopt;
  const auto callee = called_as(target, FileBackedMemory(target), modules[*caller.module], *file.elf, there->pc());
  if (!callee || !frees_first_argument(*callee)) return std::nullopt;
  const auto given = first_argument(target, caller, *there);
  return given ? std::optional(Address{*given}) : std::nullopt;
}

// free works with the chunk 16 bytes in front and with the size that it found there: both in registers that the
// functions it calls must keep. A size of zero is in too many registers to tell anything.
void add_worked_on(const Target& target, const Kept& kept, std::set<Address>& chunks) {
  for (const auto word : kept) {
    const auto chunk = word % 16 == 0 ? chunk_at(*target.memory, {word}) : std::nullopt;
    if (chunk && chunk->size != 0 && std::ranges::count(kept, chunk->size) > 0) chunks.insert({word});
  }
}

// A header that says "of another thread's heap" is looked for at the start of that heap: all are equally large and
// begin at a multiple of it. What lies there, if anything, is no heap.
void add_strayed_from(const Target& target, std::set<Address>& chunks) {
  constexpr std::uint64_t heap_bytes = 64u << 20;
  if (!target.signal || target.signal->si_signo != SIGSEGV) return;
  const auto strayed_to = reinterpret_cast<std::uint64_t>(target.signal->si_addr);
  for (const auto& [name, value] : general_registers(target)) {
    const auto chunk = value % 16 == 0 ? chunk_at(*target.memory, {value}) : std::nullopt;
    if (chunk && chunk->other_arena && (value & ~(heap_bytes - 1)) == strayed_to) chunks.insert({value});
  }
}

// Where the data that is taken for headers repeats itself, the block that would come next looks the same.
void drop_next(const Target& target, std::set<Address>& chunks) {
  if (chunks.size() != 2) return;
  const auto first = chunk_at(*target.memory, *chunks.begin());
  if (first && first->next() == *chunks.rbegin()) chunks.erase(*chunks.rbegin());
}

std::optional<Address> by_work_of_free(const Target& target, std::span<const Frame> below, const std::vector<Module>& modules) {
  std::set<Address> chunks;
  add_strayed_from(target, chunks);
  for (const auto& frame : below)
    if (const auto registers = registers_of(target, modules, frame)) add_worked_on(target, kept_by(*registers), chunks);
  drop_next(target, chunks);
  return chunks.size() == 1 ? std::optional(*chunks.begin() + chunk_header_bytes) : std::nullopt;
}

}  // namespace

std::optional<GivenToFree> given_to_free(const Target& target, const std::vector<Frame>& dying,
                                         const std::vector<Module>& modules) {
  const auto call = freeing_frame(dying, modules);
  if (!call) return std::nullopt;
  if (const auto given = by_callers_code(target, dying[*call + 1], modules)) return GivenToFree{*given, true};
  const auto given = by_work_of_free(target, std::span(dying).first(*call + 1), modules);
  return given ? std::optional(GivenToFree{*given, false}) : std::nullopt;
}

}  // namespace sigwhy::native
