// Hand-built cases of ends that have to do with memory. The program is invented.
#pragma once
#include "samples.h"

namespace sigwhy::samples {

inline Timeline climb_to(std::uint64_t limit_bytes) {
  Timeline t{.every_s = 9.6, .group = "/job_17", .limit_bytes = limit_bytes};
  ProcessMemory p{.pid = 4711, .command = "python"};
  StepCounter step{.name = "step", .file = "/home/ada/nets/train.py", .function = "fit"};
  for (std::uint64_t i = 0; i <= 256; ++i) {
    t.at_s.push_back(9.6 * static_cast<double>(i));
    p.anonymous_bytes.push_back((800ull << 20) + i * (28ull << 20));
    p.file_bytes.push_back(210ull << 20);
    p.shared_bytes.push_back(0);
    p.swap_bytes.push_back(0);
    t.group_used_bytes.push_back(p.anonymous_bytes.back() + (224ull << 20));
    if (i % 8 == 0) {
      step.at_s.push_back(t.at_s.back());
      step.value.push_back(static_cast<std::int64_t>(i * 94 / 10));
    }
  }
  t.processes = {p};
  t.steps = {step};
  return t;
}

inline MemoryUse history_and_rest() {
  MemoryUse use{.of_group = true, .judged_bytes = 8ull << 30, .resident_bytes = 7'900ull << 20, .at_s = 2460, .objects_seen = 181'202};
  use.parts = {{MemoryKind::arrays, 7'440ull << 20, 2'431},
               {MemoryKind::heap_in_use, 384ull << 20, 0},
               {MemoryKind::code_and_files, 210ull << 20, 0},
               {MemoryKind::python_objects, 118ull << 20, 181'202},
               {MemoryKind::unknown, 40ull << 20, 0}};
  MemoryHolder history{.name = "history", .type = "list", .file = "/home/ada/nets/train.py", .function = "fit", .line = 91,
                       .own_code = true, .count = 2'412, .bytes = 7'236ull << 20, .length = 2'412};
  history.elements = {{.type = "ndarray", .shape = std::vector<std::int64_t>{1024, 784}, .dtype = "float32", .count = 2'412}};
  MemoryHolder data{.name = "x_train", .type = "ndarray", .module = "__main__", .own_code = true, .count = 1, .bytes = 188ull << 20};
  use.holders = {history, data};
  use.types = {{"ndarray", 2'431, 311'168}, {"dict", 20'114, 9'332'000}};
  return use;
}

// The kernel's kill, and the list behind it.
inline Case killed_for_memory() {
  auto c = died("9d02c1b7", {"python", "train.py"}, 9, "SIGKILL", 2460);
  add_modules(c);
  Thread t{.tid = 4711, .name = "python", .died = true};
  t.python = {{.file = "/home/ada/nets/train.py", .function = "fit", .line = 91, .text = "history.append(batch)"}};
  c.snapshot.threads = {t};
  c.snapshot.timeline = climb_to(8ull << 30);
  c.snapshot.memory_use = history_and_rest();
  MemoryGroup group{.path = "/job_17", .version = 2, .limit_bytes = 8ull << 30, .used_bytes = 8ull << 30,
                    .oom_kills_before = 0, .oom_kills = 1};
  c.snapshot.memory_bounds = MemoryBounds{.groups = {group}, .machine_bytes = 64ull << 30, .log_was_readable = true};
  Finding leak{.cause = Cause::memory_leak,
               .rule = "memory_leak",
               .claim = "list `history` keeps growing: it holds 2,412 float32 arrays (1024, 784), added at train.py:91",
               .strength = Strength::strong,
               .explains = Cause::out_of_memory_killed};
  leak.evidence_for = {{"climb", "memory grew 3.0 MiB a step (within 0.1 MiB) over 2,406 steps of `step`", {{"/timeline/processes/0"}}}};
  leak.rival = "a buffer meant to be this large (it never shrank)";
  leak.fix = {"Let nothing keep these arrays after their step: clear `history` where it has been used, or keep a number "
              "instead."};
  Finding kill{.cause = Cause::out_of_memory_killed,
               .rule = "out_of_memory_killed",
               .claim = "by the kernel, at the 8.0 GiB of control group /job_17",
               .strength = Strength::proven};
  kill.evidence_for = {{"counter", "kills for memory in /job_17: 0 -> 1", {{"/memory_bounds/groups/0/oom_kills"}}}};
  c.diagnosis = {.verdict = Cause::memory_leak, .findings = {leak, kill}};
  return c;
}

}  // namespace sigwhy::samples
