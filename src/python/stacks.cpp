#include "python/stacks.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "native/file_backed_memory.h"
#include "python/find_interpreter.h"
#include "python/gil.h"
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

// Where a stack of the walk went.
struct Place {
  std::optional<std::uint64_t> thread;  // index of the snapshot's; absent: it has no such thread
  std::uint64_t first_frame = 0;
};

// A thread that runs several interpreters has a stack in each. The newest interpreter is listed first, and it was
// entered last: its frames are the inner ones.
std::vector<Place> place_stacks(const Target& target, const Collector& collector, std::string_view eval_loop,
                                std::vector<Thread>& threads, std::vector<Gap>& gaps) {
  std::vector<Place> places;
  std::map<std::uint64_t, Runs> runs;
  std::map<std::uint64_t, WalkedThread> states;
  for (const PythonStack& stack : collector.stacks) {
    const RawThread* raw = owner_of(target, stack.thread);
    const auto thread = std::ranges::find_if(threads, [&](const Thread& t) { return raw && t.tid == raw->tid; });
    auto& place = places.emplace_back();
    if (thread == threads.end()) continue;
    const auto index = static_cast<std::uint64_t>(thread - threads.begin());
    place = {index, thread->python.size()};
    thread->python.insert(thread->python.end(), stack.frames.begin(), stack.frames.end());
    runs[index].append(stack.runs);
    if (const auto name = collector.names.find(stack.thread.thread_id); name != collector.names.end())
      thread->python_name = name->second;
    auto& state = states.try_emplace(index, stack.thread).first->second;
    if (stack.thread.holds_gil.value_or(false)) state.holds_gil = true;
  }
  for (const auto& [index, of_thread] : runs) {
    merge(threads[index], of_thread, eval_loop, gaps);
    threads[index].gil = gil_state(threads[index], states.at(index), eval_loop);
  }
  return places;
}

// A damaged interpreter, or one built so that its objects have other fields (Py_TRACE_REFS).
bool runs_python_unseen(const std::vector<Thread>& threads, std::string_view eval_loop) {
  const auto is_loop = [&](const Frame& f) { return f.symbol && *f.symbol == eval_loop; };
  return std::ranges::all_of(threads, [](const Thread& t) { return t.python.empty(); }) &&
         std::ranges::any_of(threads, [&](const Thread& t) { return std::ranges::any_of(t.frames, is_loop); });
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
void settle_holders(std::vector<Array>& arrays, std::span<const Place> places) {
  for (auto& array : arrays) {
    for (auto& h : array.holders) {
      if (!h.thread) continue;
      const Place& place = places[*h.thread];
      h.thread = place.thread;
      if (h.frame) *h.frame += place.first_frame;
    }
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
  const auto found = find_interpreter(target, memory, gaps);
  if (!found) return {};
  Collector collector(found->layout.lines, policy);
  auto tensors = tensor_layouts(target, memory);
  auto wanted = wanted_of(target);
  wanted.tensors = &tensors;
  // Nobody waits stopped while the copies are read, and what was copied is the real limit.
  wanted.limits.seconds = 1;
  walk_everything(memory, *found, wanted, collector);
  add_tensor_gaps(tensors, gaps);
  collector.finish();
  const auto places = place_stacks(target, collector, found->layout.eval_loop, threads, gaps);
  if (runs_python_unseen(threads, found->layout.eval_loop))
    gaps.push_back({"the Python frames", "what lies where this interpreter keeps them makes no sense", ""});
  PyInterpreter interpreter{.version = fmt::format("{}.{}", found->layout.major, found->layout.minor),
                            .threads = collector.stacks.size(),
                            .recursion_limit = collector.most_calls};
  for (const Thread& thread : threads)
    if (thread.gil == GilState::holds) interpreter.gil_holder = thread.tid;
  settle_holders(collector.arrays, places);
  if (collector.values_cut_short()) gaps.push_back({"values of outer frames", "there were more than a case keeps", ""});
  if (collector.holders_cut_short) gaps.push_back({"some holders of arrays", "the walk over the program's objects met its limit", ""});
  return {.interpreters = {std::move(interpreter)},
          .arrays = std::move(collector.arrays),
          .exceptions = std::move(collector.exceptions)};
}

}  // namespace sigwhy::python
