// Hand-built cases, one for each shape that a report can take. The programs are invented.
#pragma once
#include "evidence/case.h"

namespace sigwhy::samples {

inline Case died(const char* id, std::vector<std::string> argv, int signal, const char* name, double after_seconds) {
  Case c;
  c.id = id;
  c.sigwhy_version = "0.1.0";
  c.made_unix_ms = 1'800'000'000'000;
  c.snapshot.termination = {
      .kind = TerminationKind::signalled, .signal = signal, .signal_name = name, .after_seconds = after_seconds};
  c.snapshot.process = {.pid = 4711,
                        .parent = 4700,
                        .uid = 1000,
                        .command = "solver",
                        .argv = std::move(argv),
                        .executable = "/home/ada/nets/solver",
                        .directory = "/home/ada/nets",
                        .started_unix_s = 1'799'999'990};
  return c;
}

inline void add_modules(Case& c) {
  c.snapshot.modules = {
      {.path = "/home/ada/nets/solver",
       .start = {0x400000},
       .end = {0x480000},
       .build_id = "9f86d081884c7d65",
       .origin = Origin::program},
      {.path = "/home/ada/nets/ops/libcrop.so",
       .start = {0x7f0000000000},
       .end = {0x7f0000100000},
       .origin = Origin::user},
      {.path = "/usr/lib/x86_64-linux-gnu/libc.so.6",
       .start = {0x7f1000000000},
       .end = {0x7f1000200000},
       .origin = Origin::system},
  };
}

inline Frame frame(std::uint64_t pc, std::uint64_t module, const char* symbol, std::optional<Source> source = {}) {
  return {.pc = {pc},
          .trust = Trust::cfi,
          .module = module,
          .symbol = symbol,
          .symbol_offset = 0x4c,
          .source = std::move(source)};
}

// No rule fits: what is certain is said, and no more.
inline Case unknown() {
  auto c = died("77aa03fe", {"./solver"}, 11, "SIGSEGV", 0.4);
  add_modules(c);
  Thread t{.tid = 4711, .name = "solver", .died = true};
  t.frames = {frame(0x40114c, 0, "solve"), frame(0x401200, 0, "main")};
  c.snapshot.threads = {t};
  c.snapshot.gaps = {{"who owned that address", "the heap keeps no history", ""}};
  c.diagnosis.certain = {"solve() wrote 8 bytes to an address that is mapped nowhere and is near no object we can see"};
  return c;
}

inline Fault indexed_read() {
  MemoryOperand operand{.text = "[rax+rdx*8]",
                        .width_bytes = 8,
                        .base = "rax",
                        .base_value = Address{0x7f2000000010},
                        .index = "rdx",
                        .index_value = Address{0xea61},
                        .scale = 8,
                        .address = Address{0x7f2000076000}};
  return Fault{.pc = {0x7f0000001136},
               .instruction = Instruction{.text = "mov rax, [rax+rdx*8]",
                                          .mnemonic = "mov",
                                          .bytes = "488b04d0",
                                          .extension = "BASE",
                                          .operands = {operand}},
               .access = Access::read,
               .width_bytes = 8,
               .address = Address{0x7f2000076000},
               .operand = 0};
}

inline Finding past_the_end() {
  Finding f{
      .cause = Cause::out_of_bounds,
      .rule = "out-of-bounds",
      .claim = "memcpy(), called by crop() in libcrop.so, read 8 bytes at the first byte behind a mapping of 472 KiB",
      .strength = Strength::strong};
  f.evidence_for = {{"access",
                     "the instruction reads 8 bytes at base + 480,008; the base lies inside the mapping",
                     {{"/fault/instruction/operands/0"}}},
                    {"index", "the index register holds 60,001", {{"/threads/0/registers/rdx"}}}};
  f.rival = "a wrong base pointer";
  f.fix = {"crop() is given 60,001 at train.cpp:57; check that many elements exist"};
  f.whose = Whose::your_code;
  f.retryable = Retryable::no;
  f.prediction = "on the guarded heap the access is caught at element 60,000";
  return f;
}

// A strong finding names its rival; the library's frame stands behind the user's own.
inline Case strong() {
  auto c = died("4f1c27a9", {"./solver", "--epochs", "20", "data/train set.bin"}, 11, "SIGSEGV", 192);
  add_modules(c);
  Thread t{.tid = 4711,
           .name = "solver",
           .died = true,
           .registers = {{"rax", {0x7f2000000010}}, {"rdx", {0xea61}}, {"rip", {0x7f0000001136}}}};
  t.frames = {frame(0x7f0000001136, 2, "__memmove_avx_unaligned_erms"),
              frame(0x7f0000001200, 1, "void ops::crop<float, 3>(float const*, long)",
                    Source{"/home/ada/nets/ops/crop.cc", 41, 9, "std::memcpy(out, labels + i, 8);"}),
              frame(0x401200, 0, "train_step(Model&)",
                    Source{"/home/ada/nets/train.cpp", 57, {}, "crop(images, labels, n + 1);"}),
              frame(0x401300, 0, "main", Source{"/home/ada/nets/train.cpp", 90, {}})};
  t.frames[0].trust = Trust::instruction_pointer;
  Thread idle{.tid = 4712, .name = "pool-1", .frames = {frame(0x7f1000000100, 2, "futex_wait")}};
  c.snapshot.threads = {t, idle};
  c.snapshot.regions = {
      {.start = {0x400000},
       .end = {0x480000},
       .permissions = "r-xp",
       .path = "/home/ada/nets/solver",
       .kind = RegionKind::file},
      {.start = {0x7f2000000000}, .end = {0x7f2000076000}, .permissions = "rw-p", .kind = RegionKind::anonymous},
  };
  c.snapshot.fault = indexed_read();
  c.snapshot.pointers = {{.role = "fault", .value = {0x7f2000076000}, .behind = Distance{1, 0}}};
  c.snapshot.gaps = {{"source lines of libc.so.6", "no debug information is installed", "install libc6-dbg"},
                     {"the size of labels", "the heap keeps no record of large blocks", ""}};
  c.diagnosis = {.verdict = Cause::out_of_bounds, .findings = {past_the_end()}};
  return c;
}

// The operation that ran has a public bug of this kind, and the installed release is one that has it.
inline Case known() {
  auto c = died("5c0ffee1", {"python", "train.py"}, 8, "SIGFPE", 6.0);
  add_modules(c);
  c.diagnosis.verdict = Cause::division_by_zero;
  c.diagnosis.findings = {{.cause = Cause::division_by_zero,
                           .claim = "ResourceGatherOp::Compute() divided by zero",
                           .strength = Strength::proven,
                           .evidence_for = {{"divisor", "idiv's divisor, r14, is 0", {{"/fault"}}}},
                           .whose = Whose::framework}};
  c.diagnosis.known = {{"CVE-2021-37653", "tensorflow-cpu", "2.5.0", {"2.5.1", "2.6.0"},
                        "a division by zero in ResourceGather", "gen_resource_variable_ops.py resource_gather"}};
  return c;
}

// How it ended is proven, why is strong: two lines.
inline Case chain() {
  auto c = died("9d02c1b7", {"python", "mnist-deep.py"}, 9, "SIGKILL", 41 * 60);
  c.snapshot.termination.kind = TerminationKind::killed_for_memory;
  Finding end{.cause = Cause::out_of_memory_killed,
              .rule = "out-of-memory-killed",
              .claim = "by the kernel, at this container's 8.0 GiB",
              .strength = Strength::proven};
  end.evidence_for = {
      {"counter", "oom_kill of /job_17 rose 0 -> 1; no other process of the group died", {{"/process"}}}};
  Finding leak{.cause = Cause::memory_leak,
               .rule = "memory-leak",
               .claim = "list `history` keeps every batch",
               .strength = Strength::strong,
               .explains = Cause::out_of_memory_killed};
  leak.evidence_for = {{"growth", "`history` grew 3.0 MiB a step for 2,412 steps; nothing else grew", {{"/process"}}}};
  leak.rival = "a buffer meant to be this large (it never shrank)";
  leak.fix = {"Let nothing keep `batch` after its step; keep a number instead.",
              "A smaller batch will not help: it fills after the same 2.47 million samples."};
  c.diagnosis = {.verdict = Cause::memory_leak, .findings = {leak, end}};
  return c;
}

// Below strong the sentence says "may", whatever the rule wrote.
inline Case plausible() {
  auto c = unknown();
  c.id = "0a1b2c3d";
  Finding f{.cause = Cause::use_after_free,
            .rule = "use-after-free",
            .claim = "solve() used a block that was freed before",
            .strength = Strength::plausible};
  f.evidence_for = {{"pattern", "the pointer has the form of a freed block's first word", {{"/pointers/0"}}}};
  f.evidence_against = {{"count", "the block's neighbours are in use", {{"/pointers/0"}}}};
  f.rival = "a pointer that was never set";
  c.diagnosis.verdict = Cause::use_after_free;
  c.diagnosis.findings = {f};
  return c;
}

// A worker died, the program that was started only passed it on.
inline Case worker() {
  auto c = died("c0ffee42", {"python", "train.py"}, 11, "SIGSEGV", 3.2);
  c.snapshot.root = Root{
      .pid = 4700, .argv = {"python", "train.py"}, .termination = {.kind = TerminationKind::exited, .exit_code = 1}};
  add_modules(c);
  Thread main_thread{.tid = 4711, .name = "python"};
  Thread t{.tid = 4713, .name = "pt_autograd_0", .died = true};
  t.frames = {frame(0x7f1000000200, 2, "__strlen_avx2"), frame(0x7f1000000300, 2, "vfprintf")};
  c.snapshot.threads = {main_thread, t};
  Finding f{.cause = Cause::null_pointer,
            .rule = "null-pointer",
            .claim = "strlen() in libc.so.6 read 1 byte through a null pointer",
            .strength = Strength::proven};
  f.evidence_for = {{"base", "the base register rdi is 0", {{"/threads/1/registers/rdi"}}}};
  f.whose = Whose::unknown;
  c.diagnosis = {.verdict = Cause::null_pointer, .findings = {f}};
  return c;
}

// Recursion without end, inlined calls, standard library code compiled into the program.
inline Case recursion() {
  auto c =
      died("5eed5eed",
           {"/home/ada/nets/build/release/bin/solver", "--config=configs/experiments/2027/long-name.toml", "--fast"},
           11, "SIGSEGV", 0.012);
  add_modules(c);
  Thread t{.tid = 4711, .name = "solver", .died = true, .repetition = Repetition{0, 1, 512, 87'381}};
  t.frames = {frame(0x401100, 0, "tree::Node<int>::depth() const",
                    Source{"/home/ada/nets/tree.h", 12, {}, "return 1 + next->depth();"}),
              frame(0x401300, 0, "main", Source{"/home/ada/nets/main.cpp", 9, {}})};
  t.frames[0].inlined = {{"std::unique_ptr<tree::Node<int>, std::default_delete<tree::Node<int> > >::get() const",
                          Source{"/usr/include/c++/12/bits/unique_ptr.h", 173, {}}}};
  c.snapshot.threads = {t};
  Finding f{.cause = Cause::stack_overflow,
            .rule = "stack-overflow",
            .claim = "tree::Node<int>::depth() calls itself without end: about 87,381 calls fill the stack of 8.0 MiB",
            .strength = Strength::proven};
  f.evidence_for = {
      {"pointer", "the stack pointer lies 8 bytes below the stack's lowest page", {{"/threads/0/stack"}}}};
  f.fix = {"depth() needs an end: it calls itself at tree.h:12 whatever `next` is"};
  c.diagnosis = {.verdict = Cause::stack_overflow, .findings = {f}};
  return c;
}

// Not dead at all: a main thread between Python and a library, one at work, a pool that waits.
inline Case exception() {
  Case c = died("5c1e90d4", {"python", "fit.py"}, 0, "", 4.2);
  c.snapshot.termination = {.kind = TerminationKind::exited, .exit_code = 1, .after_seconds = 4.2};
  c.snapshot.arrays = {{.name = "batch", .type = "ndarray", .dtype = "object", .shape = {32}}};
  PyException e{.type = "ValueError", .bases = {"Exception"}, .message = "Invalid dtype: object"};
  e.traceback = {{.file = "/v/lib/python3.11/site-packages/keras/src/utils/traceback_utils.py",
                  .function = "error_handler",
                  .line = 122},
                 {.file = "/home/ada/nets/fit.py",
                  .function = "main",
                  .line = 40,
                  .text = "model.fit(batch, y)",
                  .values = {{.name = "batch", .type = "numpy.ndarray", .array = 0}}},
                 {.file = "/home/ada/nets/fit.py", .function = "<module>", .line = 44, .text = "main()"}};
  c.snapshot.python_exceptions.push_back(std::move(e));
  Finding f{.cause = Cause::ragged_batch,
            .rule = "ragged_batch",
            .claim = "batch[17] has 27 values, the other 31 rows have 28",
            .strength = Strength::proven};
  f.evidence_for.push_back({"value",
                            "`batch` is object (32,): 31 lists of length 28, 1 of length 27",
                            {{"/python_exceptions/0/traceback/1/values/0"}, {"/arrays/0"}}});
  f.fix.push_back("Pad row 17 to 28 values, or drop it.");
  f.whose = Whose::your_code;
  f.retryable = Retryable::no;
  c.diagnosis.verdict = f.cause;
  c.diagnosis.findings.push_back(std::move(f));
  return c;
}

inline Case living() {
  auto c = died("", {"python3", "train.py"}, 0, "", 192);
  c.snapshot.termination = {.kind = TerminationKind::running, .after_seconds = 192};
  c.snapshot.process.thread_count = 61;
  add_modules(c);
  c.snapshot.modules.push_back({.path = "/usr/bin/python3.11", .origin = Origin::interpreter});
  Thread main{.tid = 4711, .name = "python3", .gil = GilState::holds, .on_cpu = true};
  main.python = {
      {.file = "/home/ada/nets/train.py", .function = "train_step", .line = 57, .text = "crop(images, labels)"},
      {.file = "/home/ada/nets/train.py", .function = "<module>", .line = 80, .text = "train_step(batch)"}};
  main.frames = {frame(0x7f0000000200, 1, "crop", Source{"/home/ada/nets/ops/crop.cc", 41, {}, "s += labels[i];"}),
                 frame(0x500100, 3, "_PyEval_EvalFrameDefault"), frame(0x500200, 3, "Py_RunMain"),
                 frame(0x7f1000000300, 2, "__libc_start_main")};
  main.frames[1].python = PythonRun{0, 2};
  Thread loader{.tid = 4713, .name = "python3", .gil = GilState::waits, .on_cpu = false, .system_call = "futex"};
  loader.python = {
      {.file = "/home/ada/nets/data.py", .function = "load", .line = 12, .text = "return decode(f.read())"},
      {.file = "/usr/lib/python3.11/threading.py", .function = "Thread.run", .line = 975}};
  c.snapshot.threads = {main, loader};
  for (int i = 0; i < 59; ++i) {
    Thread idle{.tid = 4720 + i, .name = "worker-" + std::to_string(i), .on_cpu = false, .system_call = "futex"};
    idle.frames = {frame(0x7f1000000200, 2, "__futex_abstimed_wait_common"),
                   frame(0x7f0000000300, 1, "Pool<float>::wait_for_work(int)"),
                   frame(0x7f1000000400, 2, "start_thread")};
    c.snapshot.modules[1].origin = Origin::package;
    c.snapshot.threads.push_back(idle);
  }
  return c;
}

}  // namespace sigwhy::samples
