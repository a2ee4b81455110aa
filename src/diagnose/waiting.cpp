#include "diagnose/waiting.h"

#include <fmt/format.h>
#include <linux/futex.h>

#include <algorithm>

#include "diagnose/phrases.h"
#include "evidence/own_code.h"

namespace sigwhy::diagnose {

namespace {

std::string python_text(const Thread& thread) {
  const PythonFrame& frame = thread.python[first_own(thread.python).value_or(0)];
  const auto line = frame.line ? fmt::format(":{}", *frame.line) : std::string();
  const auto name = frame.function.starts_with('<') ? std::string() : frame.function + "() ";
  return fmt::format("{}{}{}", name, file_name(frame.file), line);
}

// Below the C library's own waiting, who called it.
std::string native_text(const Thread& thread) {
  for (const Frame& frame : thread.frames)
    if (frame.symbol && frame.trust != Trust::scan && !frame.symbol->starts_with("_") && frame.symbol->find("futex") == std::string::npos &&
        frame.symbol->find("pthread_") == std::string::npos)
      return one_line(*frame.symbol, 60);
  return thread.name.empty() ? fmt::format("thread {}", thread.tid) : thread.name;
}

bool is_of(const PythonFrame& frame, std::string_view file) { return frame.file.ends_with(file); }

// The last part of "Event.wait"; before 3.11 that is all there is.
std::string_view method_of(const PythonFrame& frame) {
  const std::string_view name = frame.function;
  return name.substr(name.rfind('.') + 1);
}

Awaits awaits_of(const Thread& thread) {
  if (thread.python.empty() || !is_of(thread.python.front(), "/threading.py")) return Awaits::lock;
  const auto method = method_of(thread.python.front());
  return method == "join" || method == "_wait_for_tstate_lock" ? Awaits::end_of_thread : Awaits::wake_up;
}

// The outermost frame of the standard library is the call that the program made.
std::string waker_of(const Thread& thread) {
  const PythonFrame* call = nullptr;
  for (const auto& frame : thread.python) {
    if (!is_of(frame, "/threading.py") && !is_of(frame, "/queue.py")) break;
    call = &frame;
  }
  if (!call) return {};
  const auto method = method_of(*call);
  if (is_of(*call, "/queue.py")) return method == "join" ? "task_done()" : method == "get" ? "put()" : method == "put" ? "get()" : "";
  if (call->function.starts_with("Event.")) return "set()";
  if (call->function.starts_with("Barrier.")) return "the wait() of the others";
  if (call->function.starts_with("Condition.")) return "notify()";
  return call->function.starts_with("Semaphore.") ? "release()" : "";
}

std::uint64_t register_of(const Thread& thread, const char* name, std::uint64_t otherwise) {
  const auto found = thread.registers.find(name);
  return found == thread.registers.end() ? otherwise : found->second.value;
}

// futex(address, operation, value, timeout): without the flag, another process that maps the same memory may wake it.
bool waits_for_own_lock(const Thread& thread) {
  if (*thread.system_call != "futex") return false;
  const bool known = thread.registers.contains("rdi");  // one that was not stopped shows none
  const bool shared = known && !(register_of(thread, "rsi", FUTEX_PRIVATE_FLAG) & FUTEX_PRIVATE_FLAG);
  return !shared && (!known || register_of(thread, "r10", 0) == 0);
}

}  // namespace

std::vector<WaitingThread> waiting_threads(const Facts& f) {
  std::vector<WaitingThread> list;
  for (std::size_t i = 0; i < f.snapshot.threads.size(); ++i) {
    const Thread& thread = f.snapshot.threads[i];
    if (thread.on_cpu.value_or(false) || !thread.system_call) continue;
    list.push_back({.thread = i,
                    .awaits = awaits_of(thread),
                    .waker = waker_of(thread),
                    .place = thread.python.empty() ? native_text(thread) : python_text(thread),
                    .in_lock = waits_for_own_lock(thread),
                    .main = thread.tid == f.snapshot.process.pid,
                    .python = !thread.python.empty()});
  }
  return list;
}

bool is_hung(const Facts& f) { return f.snapshot.termination.kind == TerminationKind::hung && f.snapshot.termination.hang; }

Fact still_fact(const Facts& f) {
  return fact("still", fmt::format("nothing moved for {:.1f} s: its first thread slept in one call, and all its processes used next to no CPU",
                                   f.snapshot.termination.hang->still_seconds),
              {ref("/termination/hang")});
}

Fact waits_fact(const Facts& f, const WaitingThread& w) {
  const Thread& thread = f.snapshot.threads[w.thread];
  return fact("waits", fmt::format("{} waits in {} at {}", w.main ? std::string("the main thread") : fmt::format("thread {}", thread.tid),
                                   *thread.system_call, w.place),
              {ref(fmt::format("/threads/{}", w.thread))});
}

}  // namespace sigwhy::diagnose
