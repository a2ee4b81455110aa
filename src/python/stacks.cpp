#include "python/stacks.h"

#include <algorithm>

#include "native/file_backed_memory.h"
#include "python/frames.h"
#include "python/lines.h"

namespace sigwhy::python {

namespace {

struct Stack {
  WalkedThread thread;
  std::vector<PythonFrame> frames;
};

class Collector final : public FrameSink {
 public:
  explicit Collector(LineTable lines) : lines_(lines) {}

  void thread(const WalkedThread& thread) override { stacks.push_back({thread, {}}); }
  void frame(const WalkedFrame& f) override {
    PythonFrame frame{.file = std::string(f.file), .function = std::string(f.function)};
    if (const auto at = location_of(lines_, f.line_table, f.first_line, f.offset)) {
      frame.line = at->line;
      frame.column = at->column;
    }
    stacks.back().frames.push_back(std::move(frame));
  }

  std::vector<Stack> stacks;

 private:
  LineTable lines_;
};

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

}  // namespace

std::vector<PyInterpreter> add_python_frames(const Target& target, std::vector<Thread>& threads,
                                             std::vector<Gap>& gaps) {
  const native::FileBackedMemory memory(target);
  bool seen = false;
  const auto found = find_interpreter(target, memory, seen);
  if (!found) {
    if (seen) gaps.push_back({"the Python frames", "this interpreter's layout is not known", ""});
    return {};
  }
  Collector collector(found->layout.lines);
  walk(memory, *found, collector);
  for (const Stack& stack : collector.stacks) {
    const RawThread* raw = owner_of(target, stack.thread);
    const auto thread = std::ranges::find_if(threads, [&](const Thread& t) { return raw && t.tid == raw->tid; });
    if (thread != threads.end()) thread->python = stack.frames;
  }
  return {{.version = std::to_string(found->layout.major) + "." + std::to_string(found->layout.minor),
           .threads = collector.stacks.size()}};
}

}  // namespace sigwhy::python
