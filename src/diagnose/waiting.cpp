#include "diagnose/waiting.h"

#include <fmt/format.h>

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

}  // namespace

std::vector<WaitingThread> waiting_threads(const Facts& f) {
  std::vector<WaitingThread> list;
  for (std::size_t i = 0; i < f.snapshot.threads.size(); ++i) {
    const Thread& thread = f.snapshot.threads[i];
    if (thread.on_cpu.value_or(false) || !thread.system_call) continue;
    list.push_back({.thread = i,
                    .place = thread.python.empty() ? native_text(thread) : python_text(thread),
                    .in_lock = *thread.system_call == "futex",
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
