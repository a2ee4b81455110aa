#include "python/stacks.h"

#include <algorithm>

#include <fmt/format.h>

#include "native/file_backed_memory.h"
#include "python/merge.h"
#include "python/tensors/learned.h"
#include "python/tensors/tensor_gaps.h"

namespace sigwhy::python {

namespace {

// 3.11 keeps the kernel's thread id; before that pthread_self(), which on x86-64 is the thread's fs base.
const RawThread* owner_of(const Target& target, const WalkedThread& thread) {
  const auto found = std::ranges::find_if(target.threads, [&](const RawThread& raw) {
    if (thread.native_thread_id) return static_cast<std::uint64_t>(raw.inner_tid) == thread.native_thread_id;
    return raw.registers && raw.registers->fs_base == thread.thread_id;
  });
  return found == target.threads.end() ? nullptr : &*found;
}

std::optional<Interpreter> find_interpreter(const Target& target, const Memory& memory, bool& seen) {
  for (const Mapping& m : target.mappings) {
    const std::string_view name = std::string_view(m.path).substr(m.path.rfind('/') + 1);
    if (m.offset != 0 || !m.path.starts_with('/') || !may_hold_interpreter(name)) continue;
    seen = true;
    if (auto found = interpreter_in(memory, {m.start, name})) return found;
  }
  return std::nullopt;
}

TensorLayouts tensor_layouts(const Target& target, const Memory& memory) {
  if (learned_layouts().empty()) remember_learned_layouts();
  TensorLayouts layouts(learned_layouts());
  for (const Mapping& m : target.mappings)
    if (m.offset == 0) layouts.look_at(memory, {m.start, std::string_view(m.path).substr(m.path.rfind('/') + 1)});
  return layouts;
}

bool same_place(const Holder& a, const Holder& b) {
  return a.name == b.name && a.thread == b.thread && a.frame == b.frame && a.exception == b.exception && a.module == b.module;
}

// Indices of stacks become indices of threads; what belongs to no thread of the snapshot keeps no holder.
void settle_holders(std::vector<Array>& arrays, std::span<const std::optional<std::uint64_t>> thread_of_stack) {
  for (auto& array : arrays) {
    for (auto& h : array.holders)
      if (h.thread) h.thread = thread_of_stack[*h.thread];
    std::erase_if(array.holders, [](const Holder& h) { return h.frame && !h.thread && !h.exception; });
    // Heard twice: as a local, and as a root of the walk over holders.
    auto& all = array.holders;
    for (std::size_t i = 0; i < all.size(); ++i)
      all.erase(std::remove_if(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end(),
                               [&](const Holder& h) { return same_place(h, all[i]); }),
                all.end());
  }
}

Wanted wanted_of(const Target& target) {
  Wanted wanted{.at_exception = !target.stopped_at.empty()};
  const auto dying = std::ranges::find_if(target.threads, [&](const RawThread& t) {
    return target.living ? t.tid == target.pid : t.died;
  });
  if (dying == target.threads.end()) return wanted;
  wanted.native_thread_id = static_cast<std::uint64_t>(dying->tid);
  if (dying->registers) wanted.thread_id = dying->registers->fs_base;
  return wanted;
}

}  // namespace

PythonSide read_python(const Target& target, std::vector<Thread>& threads, ValuesPolicy policy, std::vector<Gap>& gaps) {
  const native::FileBackedMemory memory(target);
  bool seen = false;
  const auto found = find_interpreter(target, memory, seen);
  if (!found) {
    if (seen) gaps.push_back({"the Python frames", "this interpreter's layout is not known", ""});
    return {};
  }
  Collector collector(found->layout.lines, policy);
  auto tensors = tensor_layouts(target, memory);
  auto wanted = wanted_of(target);
  wanted.tensors = &tensors;
  walk_everything(memory, *found, wanted, collector);
  add_tensor_gaps(tensors, gaps);
  collector.finish();
  std::vector<std::optional<std::uint64_t>> thread_of_stack;
  for (const PythonStack& stack : collector.stacks) {
    const RawThread* raw = owner_of(target, stack.thread);
    const auto thread = std::ranges::find_if(threads, [&](const Thread& t) { return raw && t.tid == raw->tid; });
    thread_of_stack.emplace_back();
    if (thread == threads.end()) continue;
    thread->python = stack.frames;
    merge(*thread, stack.runs, found->layout.eval_loop, gaps);
    thread_of_stack.back() = static_cast<std::uint64_t>(thread - threads.begin());
  }
  settle_holders(collector.arrays, thread_of_stack);
  if (collector.holders_cut_short) gaps.push_back({"some holders of arrays", "the walk over the program's objects met its limit", ""});
  return {.interpreters = {{.version = fmt::format("{}.{}", found->layout.major, found->layout.minor),
                            .threads = collector.stacks.size()}},
          .arrays = std::move(collector.arrays),
          .exceptions = std::move(collector.exceptions)};
}

}  // namespace sigwhy::python
