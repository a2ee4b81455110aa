// Snapshots made by hand: a small address space with one of everything, a stack in words, one fault. Every test
// starts from it and changes what matters.
#pragma once
#include <signal.h>

#include <initializer_list>
#include <string>
#include <utility>

#include "diagnose/diagnose.h"
#include "evidence/names.h"

namespace sigwhy::diagnose {

// Modules, by index.
enum In : std::uint64_t { app, libc, mine, python, torch, cpp, ffi, ctypes, nowhere };

namespace at {
inline constexpr std::uint64_t app_text = 0x555555555000, app_constants = 0x555555557000, app_data = 0x555555558000;
inline constexpr std::uint64_t heap = 0x55555557a000, heap_end = 0x55555559b000;
inline constexpr std::uint64_t arena = 0x7fffe8000000, arena_end = 0x7fffe8021000;
inline constexpr std::uint64_t map = 0x7ffff5000000, map_end = 0x7ffff5100000;
inline constexpr std::uint64_t guard = 0x7ffff6ffe000, thread_stack = 0x7ffff6fff000, thread_stack_end = 0x7ffff77ff000;
inline constexpr std::uint64_t mine_text = 0x7ffff7800000, python_text = 0x7ffff7900000, torch_text = 0x7ffff7a00000;
inline constexpr std::uint64_t cpp_text = 0x7ffff7b00000, ffi_text = 0x7ffff7b80000, ctypes_text = 0x7ffff7bc0000;
inline constexpr std::uint64_t libc_text = 0x7ffff7d00000, libc_data = 0x7ffff7ee0000;
inline constexpr std::uint64_t file = 0x7ffff7f00000, file_end = 0x7ffff7f10000;
inline constexpr std::uint64_t stack = 0x7ffffffde000, stack_end = 0x7ffffffff000;
}  // namespace at

class Build {
 public:
  Build() {
    s.process = {.pid = 100, .parent = 1, .command = "app", .executable = "/home/u/app"};
    add_modules();
    add_regions();
    Thread t{.tid = 100, .name = "app", .died = true};
    t.registers = {{"rsp", {at::stack_end - 0x1000}}, {"rip", {at::app_text + 0x10}}};
    t.stack = StackBounds{{at::stack}, {at::stack_end}, {at::stack_end - 0x1000}};
    s.threads.push_back(std::move(t));
  }

  Build& signal(int number, int code) {
    s.termination.kind = TerminationKind::signalled;
    s.termination.signal = number;
    s.termination.code = code;
    s.termination.signal_name = number == SIGSEGV   ? "SIGSEGV"
                                : number == SIGABRT ? "SIGABRT"
                                                    : "SIG" + std::to_string(number);
    return *this;
  }
  Build& sent(int number, std::int64_t pid, SenderRelation relation, int code = SI_USER) {
    signal(number, code);
    s.termination.sender = Sender{.pid = pid, .relation = relation};
    return *this;
  }
  Build& aborts() { return sent(SIGABRT, 100, SenderRelation::itself, SI_TKILL); }

  // Innermost first.
  Build& frames(std::initializer_list<std::pair<const char*, In>> list) {
    for (const auto& [name, in] : list) {
      Frame frame{.pc = {text_of(in) + 0x10 + s.threads[0].frames.size()}, .trust = Trust::cfi};
      if (in != nowhere) frame.module = in;
      if (*name) frame.symbol = name;
      s.threads[0].frames.push_back(std::move(frame));
    }
    return *this;
  }

  Build& access(Access kind, std::uint64_t width, std::uint64_t address, int code = SEGV_MAPERR) {
    if (!s.termination.signal) signal(SIGSEGV, code);
    Fault fault{.pc = {at::app_text + 0x10}, .access = kind, .width_bytes = width, .address = Address{address}};
    if (!s.threads[0].frames.empty()) fault.pc = s.threads[0].frames[0].pc;
    fault.instruction = Instruction{.text = "mov", .mnemonic = "mov", .bytes = "8b00", .extension = "BASE"};
    s.fault = std::move(fault);
    return *this;
  }
  Build& reads(std::uint64_t width, std::uint64_t address, int code = SEGV_MAPERR) {
    return access(Access::read, width, address, code);
  }
  Build& writes(std::uint64_t width, std::uint64_t address, int code = SEGV_MAPERR) {
    return access(Access::write, width, address, code);
  }
  // SI_KERNEL: the kernel gave address 0, the real one was computed.
  Build& computed() {
    s.termination.code = 128;
    s.termination.address = Address{0};
    s.fault->address_computed = true;
    return *this;
  }
  Build& base(const char* name, std::uint64_t value, std::int64_t displacement = 0) {
    MemoryOperand op{
        .text = "[..]", .access = *s.fault->access, .width_bytes = *s.fault->width_bytes, .displacement = displacement};
    op.base = name;
    op.base_value = Address{value};
    op.address = s.fault->address;
    s.fault->instruction->operands = {op};
    s.fault->operand = 0;
    return *this;
  }
  Build& index(const char* name, std::uint64_t value, std::uint64_t scale) {
    auto& op = s.fault->instruction->operands[0];
    op.index = name;
    op.index_value = Address{value};
    op.scale = scale;
    return *this;
  }
  Build& jump(std::uint64_t target, int code = SEGV_MAPERR) {
    signal(SIGSEGV, code);
    s.fault = Fault{.pc = {target}, .access = Access::execute, .address = Address{target}};
    return *this;
  }
  Build& runs(const char* mnemonic) {  // an instruction without operands
    s.fault = Fault{.pc = s.threads[0].frames.empty() ? Address{at::app_text} : s.threads[0].frames[0].pc};
    s.fault->instruction = Instruction{.text = mnemonic, .mnemonic = mnemonic, .bytes = "0f0b", .extension = "BASE"};
    return *this;
  }

  Build& rsp(std::uint64_t value) {
    s.threads[0].registers["rsp"] = {value};
    s.threads[0].stack->pointer = {value};
    return *this;
  }
  Build& on_thread(std::uint64_t rsp_value) {
    s.threads[0].tid = 101;
    s.threads[0].stack = StackBounds{{at::thread_stack}, {at::thread_stack_end}, {rsp_value}};
    return rsp(rsp_value);
  }
  Build& reg(const char* name, std::uint64_t value) {
    s.threads[0].registers[name] = {value};
    return *this;
  }
  Build& text(TextKind kind, const char* words) {
    s.texts.push_back({kind, words, Address{at::heap}});
    return *this;
  }
  Build& exception(const char* type, const char* what, std::vector<std::string> bases = {}) {
    s.exceptions.push_back({.type = type, .bases = std::move(bases), .what = what});
    return *this;
  }
  Build& pointer(const char* role, std::uint64_t value, std::optional<HeapBlock> block = {}) {
    s.pointers.push_back({.role = role, .value = {value}, .block = std::move(block)});
    return *this;
  }
  Build& limit(const char* name, std::uint64_t soft) {
    s.process.limits.push_back({.name = name, .soft = soft, .unit = "bytes"});
    return *this;
  }
  Region& region(std::uint64_t start) {
    for (auto& r : s.regions)
      if (r.start.value == start) return r;
    throw std::out_of_range("no such region");
  }

  Diagnosis diagnosis() const { return diagnose(s); }

  Snapshot s;

 private:
  static std::uint64_t text_of(In in) {
    switch (in) {
      case app: return at::app_text;
      case libc: return at::libc_text;
      case mine: return at::mine_text;
      case python: return at::python_text;
      case torch: return at::torch_text;
      case cpp: return at::cpp_text;
      case ffi: return at::ffi_text;
      case ctypes: return at::ctypes_text;
      case nowhere: return 0;
    }
    return 0;
  }
  void add_modules() {
    const auto add = [&](const char* path, std::uint64_t start, Origin origin, const char* package = nullptr) {
      Module m{.path = path, .start = {start}, .end = {start + 0x10000}, .origin = origin};
      if (package) m.package = package;
      s.modules.push_back(std::move(m));
    };
    add("/home/u/app", at::app_text, Origin::program);
    add("/lib/x86_64-linux-gnu/libc.so.6", at::libc_text, Origin::system);
    add("/home/u/libcrop.so", at::mine_text, Origin::user);
    add("/usr/lib/libpython3.11.so.1.0", at::python_text, Origin::interpreter);
    add("/v/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so", at::torch_text, Origin::package, "torch");
    add("/lib/x86_64-linux-gnu/libstdc++.so.6", at::cpp_text, Origin::system);
    add("/lib/x86_64-linux-gnu/libffi.so.8", at::ffi_text, Origin::system);
    add("/usr/lib/python3.11/lib-dynload/_ctypes.cpython-311.so", at::ctypes_text, Origin::interpreter);
  }
  void add(std::uint64_t start, std::uint64_t end, const char* permissions, RegionKind kind, const char* path = "") {
    s.regions.push_back({.start = {start}, .end = {end}, .permissions = permissions, .path = path, .kind = kind});
  }
  void add_regions() {
    using enum RegionKind;
    add(at::app_text, at::app_constants, "r-xp", RegionKind::file, "/home/u/app");
    add(at::app_constants, at::app_data, "r--p", RegionKind::file, "/home/u/app");
    add(at::app_data, at::app_data + 0x2000, "rw-p", RegionKind::file, "/home/u/app");
    add(at::heap, at::heap_end, "rw-p", RegionKind::heap, "[heap]");
    add(at::arena, at::arena_end, "rw-p", RegionKind::heap);
    add(at::arena_end, at::arena + (64u << 20), "---p", RegionKind::guard);
    add(at::map, at::map_end, "rw-p", anonymous);
    add(at::guard, at::thread_stack, "---p", RegionKind::guard);
    add(at::thread_stack, at::thread_stack_end, "rw-p", RegionKind::thread_stack);
    add(at::mine_text, at::mine_text + 0x10000, "r-xp", RegionKind::file, "/home/u/libcrop.so");
    add(at::python_text, at::python_text + 0x10000, "r-xp", RegionKind::file, "/usr/lib/libpython3.11.so.1.0");
    add(at::torch_text, at::torch_text + 0x10000, "r-xp", RegionKind::file, "/v/torch/lib/libtorch_cpu.so");
    add(at::cpp_text, at::cpp_text + 0x10000, "r-xp", RegionKind::file, "/lib/x86_64-linux-gnu/libstdc++.so.6");
    add(at::ffi_text, at::ffi_text + 0x10000, "r-xp", RegionKind::file, "/lib/x86_64-linux-gnu/libffi.so.8");
    add(at::ctypes_text, at::ctypes_text + 0x10000, "r-xp", RegionKind::file, "/usr/lib/_ctypes.so");
    add(at::libc_text, at::libc_text + 0x10000, "r-xp", RegionKind::file, "/lib/x86_64-linux-gnu/libc.so.6");
    add(at::libc_data, at::libc_data + 0x4000, "rw-p", RegionKind::file, "/lib/x86_64-linux-gnu/libc.so.6");
    add(at::file, at::file_end, "r--s", RegionKind::file, "/data/train.f32");
    add(at::stack, at::stack_end, "rw-p", RegionKind::stack, "[stack]");
  }
};

inline const Finding* found(const Diagnosis& d, Cause cause) {
  for (const auto& f : d.findings)
    if (f.cause == cause) return &f;
  return nullptr;
}

// "null-pointer proven", "unknown": what a test compares.
inline std::string verdict(const Build& b) {
  const auto d = b.diagnosis();
  std::string out(to_name(d.verdict));
  if (!d.findings.empty() && d.findings[0].cause == d.verdict)
    out += " " + std::string(to_name(d.findings[0].strength));
  return out;
}

}  // namespace sigwhy::diagnose
