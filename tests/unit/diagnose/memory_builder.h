// Runs that ran out of memory, made by hand: a curve, who held what, and the line it stood at.
#pragma once
#include <signal.h>

#include <functional>
#include <string>
#include <utility>

#include "diagnose/facts.h"
#include "evidence/snapshot.h"

namespace sigwhy::diagnose {

inline constexpr std::uint64_t mib = 1ull << 20, gib = 1ull << 30;

class MemoryRun {
 public:
  MemoryRun() {
    s.process = {.pid = 100, .parent = 1, .command = "python3", .executable = "/usr/bin/python3"};
    s.termination = {.kind = TerminationKind::signalled, .signal = SIGKILL, .signal_name = "SIGKILL"};
    s.threads.push_back({.tid = 100, .name = "python3", .died = true});
    s.memory_use.emplace();
    s.memory_bounds.emplace();
    s.memory_bounds->machine_bytes = 64 * gib;
  }

  MemoryRun& limit(std::uint64_t bytes) {
    s.memory_bounds->groups = {{.path = "/job_17", .limit_bytes = bytes, .used_bytes = bytes}};
    return *this;
  }

  // Bytes at each tenth of a second.
  MemoryRun& curve(std::size_t readings, const std::function<double(double)>& bytes_at) {
    Timeline t{.every_s = 0.1};
    ProcessMemory p{.pid = 100, .command = "python3"};
    for (std::size_t i = 0; i < readings; ++i) {
      const double at = static_cast<double>(i) / 10;
      t.at_s.push_back(at);
      p.anonymous_bytes.push_back(static_cast<std::uint64_t>(bytes_at(at)));
    }
    s.memory_use->judged_bytes = s.memory_use->resident_bytes = p.anonymous_bytes.back();
    t.processes.push_back(std::move(p));
    s.timeline = std::move(t);
    return *this;
  }
  // Two seconds of imports, then a line.
  MemoryRun& climbs(std::uint64_t from, std::uint64_t to, double seconds = 10) {
    const auto rise = static_cast<double>(to - from);
    return curve(static_cast<std::size_t>(seconds * 10) + 20, [=](double at) {
      const double base = static_cast<double>(from) * std::min(1.0, at / 2);
      return at < 2 ? base : base + rise * (at - 2) / seconds;
    });
  }
  MemoryRun& steps(const char* name, double a_second) {
    StepCounter c{.name = name, .file = "/home/ada/train.py", .function = "<module>"};
    for (const double at : s.timeline->at_s) {
      if (at < 2) continue;
      c.at_s.push_back(at);
      c.value.push_back(static_cast<std::int64_t>((at - 2) * a_second));
    }
    s.timeline->steps.push_back(std::move(c));
    return *this;
  }

  MemoryHolder& holds(const char* name, const char* type, std::uint64_t count, std::uint64_t bytes) {
    MemoryHolder h{.name = name, .type = type, .file = "/home/ada/train.py", .function = "<module>", .line = 9,
                   .own_code = true, .count = count, .bytes = bytes, .length = count};
    h.elements.push_back({.type = "ndarray", .shape = {{1024, 784}}, .dtype = "float32", .count = count});
    s.memory_use->holders.push_back(std::move(h));
    part(MemoryKind::arrays, bytes);
    return s.memory_use->holders.back();
  }
  MemoryRun& part(MemoryKind kind, std::uint64_t bytes) {
    for (auto& known : s.memory_use->parts)
      if (known.kind == kind) {
        known.bytes += bytes;
        return *this;
      }
    s.memory_use->parts.push_back({kind, bytes, 0});
    return *this;
  }
  MemoryRun& adds(const char* name, const char* text, bool repeats = true) {
    s.memory_use->added.push_back({name, "/home/ada/train.py", 12, text, repeats});
    return *this;
  }
  MemoryRun& type(const char* name, std::uint64_t count) {
    s.memory_use->types.push_back({name, count, count * 64});
    return *this;
  }
  // Innermost first.
  PythonFrame& stands(const char* file, const char* function, int line, const char* text) {
    PythonFrame frame{.file = file, .function = function, .line = line};
    if (text) frame.text = text;
    s.threads[0].python.push_back(std::move(frame));
    return s.threads[0].python.back();
  }

  Snapshot s;
};

}  // namespace sigwhy::diagnose
