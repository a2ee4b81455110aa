#include "dead_child.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>

#include "target/live.h"
#include "target/saved.h"

namespace sigwhy::test {

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint64_t exception_class = 0x474e5543432b2b00;

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_fatal(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL || signal == SIGABRT;
}

// What is copied out of the child; blocks may overlap, BlockMemory clips them.
class Copy {
 public:
  explicit Copy(const Target& target) : target_(target), live_(target.pid) {}

  void take(Address from, std::uint64_t bytes) {
    const auto at = mapping_at(target_.mappings, from);
    if (!at || !target_.mappings[*at].readable) return;
    const auto size = std::min<std::uint64_t>(bytes, target_.mappings[*at].end.value - from.value);
    Bytes block(size);
    block.resize(live_.read(from, block));
    if (!block.empty()) blocks_.emplace_back(from, std::move(block));
  }

  void take_around(Address a, std::uint64_t bytes) {
    const auto at = mapping_at(target_.mappings, a);
    if (!at) return;
    const auto from = std::max(target_.mappings[*at].start, a - std::min(bytes, a.value));
    take(from, a.value - from.value + bytes);
  }

  const std::vector<std::pair<Address, Bytes>>& blocks() const { return blocks_; }
  const Memory& live() const { return live_; }

  std::unique_ptr<Memory> memory() && {
    auto kept = std::make_shared<std::vector<std::pair<Address, Bytes>>>(std::move(blocks_));
    std::vector<BlockMemory::Block> views;
    for (const auto& [start, bytes] : *kept) views.push_back({start, bytes});
    return std::make_unique<BlockMemory>(std::move(views), kept);
  }

 private:
  const Target& target_;
  LiveMemory live_;
  std::vector<std::pair<Address, Bytes>> blocks_;
};

void copy_everything(const Target& target, Copy& copy) {
  constexpr std::uint64_t most = 64u << 20;
  for (const auto& m : target.mappings)
    if (m.readable && m.path != "[vvar]")
      copy.take(m.start, std::min<std::uint64_t>(m.end.value - m.start.value, most));
}

std::vector<Address> general_registers(const user_regs_struct& r) {
  const unsigned long long all[] = {r.rax, r.rbx, r.rcx, r.rdx, r.rsi, r.rdi, r.rbp, r.r8,
                                    r.r9,  r.r10, r.r11, r.r12, r.r13, r.r14, r.r15};
  std::vector<Address> values;
  for (const auto value : all) values.push_back({value});
  return values;
}

bool writable(const Target& target, Address a) {
  const auto at = mapping_at(target.mappings, a);
  return at && target.mappings[*at].writable;
}

void copy_stacks(const Target& target, Copy& copy) {
  for (const auto& thread : target.threads)
    if (thread.registers) copy.take(Address{thread.registers->rsp} - 256, thread.died ? 512u << 10 : 64u << 10);
}

void copy_stack_pointees(const Target& target, Copy& copy) {
  const Address top{target.threads[0].registers->rsp};
  std::set<std::uint64_t> seen;
  for (std::uint64_t at = 0; at < 4096 && seen.size() < 128; at += 8) {
    const auto word = copy.live().read_value<std::uint64_t>(top + at);
    if (word && writable(target, {*word}) && seen.insert(*word).second) copy.take_around({*word}, 4096);
  }
}

void copy_library_data(const Target& target, Copy& copy) {
  bool follows = false;
  for (const auto& m : target.mappings) {
    const bool library = m.path.find("/libc.so") != std::string::npos || m.path.find("/libc-2") != std::string::npos ||
                         m.path.find("/libstdc++.so") != std::string::npos;
    if (m.writable && (library || (follows && m.path.empty()))) copy.take(m.start, 256u << 10);
    follows = library && m.writable;
    if (m.path == "[heap]") copy.take(m.start, 16u << 10);
  }
}

// glibc points from its data to the page with its last words.
void copy_abort_message(const Target& target, Copy& copy) {
  const auto blocks = copy.blocks();
  for (const auto& [start, bytes] : blocks)
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (word % 4096 == 0 && writable(target, {word})) copy.take({word}, 4096);
    }
}

void copy_type(const Target& target, Copy& copy, Address type, int depth) {
  const auto words = copy.live().read_value<std::array<std::uint64_t, 5>>(type);
  if (!words || depth > 8) return;
  copy.take(type, sizeof *words);
  copy.take({(*words)[1]}, 256);
  copy_type(target, copy, {(*words)[2]}, depth + 1);
  copy_type(target, copy, {(*words)[3]}, depth + 1);
}

void copy_exceptions(const Target& target, Copy& copy) {
  const auto blocks = copy.blocks();
  for (const auto& [start, bytes] : blocks)
    for (std::size_t at = 0; at + 8 <= bytes.size(); at += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if ((word & ~std::uint64_t{1}) != exception_class) continue;
      const Address header = start + at;
      copy.take_around(header, 512);
      if (const auto type = copy.live().read_value<std::uint64_t>(header - 80)) copy_type(target, copy, {*type}, 0);
      for (std::uint64_t i = 0; i < 8; ++i)
        if (const auto pointee = copy.live().read_value<std::uint64_t>(header + 32 + 8 * i))
          copy.take_around({*pointee}, 512);
    }
}

void copy_budget(const Target& target, Copy& copy) {
  if (target.threads.empty() || !target.threads[0].registers) return;
  const auto& registers = *target.threads[0].registers;
  copy_stacks(target, copy);
  copy.take_around({registers.rip}, 128);
  for (const auto value : general_registers(registers)) copy.take_around(value, 512);
  copy_stack_pointees(target, copy);
  copy_library_data(target, copy);
  copy_abort_message(target, copy);
  copy_exceptions(target, copy);
}

// For tests to read what their program noted, whatever was copied.
std::string program_data(const Target& target, const Memory& live) {
  std::string data;
  for (const auto& m : target.mappings) {
    if (!m.writable || m.path != target.files.at("exe")) continue;
    std::string part(m.end.value - m.start.value, '\0');
    part.resize(live.read(m.start, std::as_writable_bytes(std::span(part))));
    data += part;
  }
  return data;
}

RawThread stopped_thread(pid_t tid, bool died) {
  RawThread thread{.tid = tid, .died = died};
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, tid, nullptr, &registers) == 0) thread.registers = registers;
  return thread;
}

void stop_others(Target& target, pid_t dying) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc/" + std::to_string(target.pid) + "/task")) {
    const pid_t tid = std::stoi(entry.path().filename());
    if (tid == dying || ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) != 0) continue;
    int status = 0;
    if (waitpid(tid, &status, __WALL) == tid) target.threads.push_back(stopped_thread(tid, false));
  }
}

Target taken(pid_t pid, pid_t dying, Copied copied) {
  Target target;
  target.pid = pid;
  siginfo_t info{};
  if (ptrace(PTRACE_GETSIGINFO, dying, nullptr, &info) == 0) target.signal = info;
  target.threads.push_back(stopped_thread(dying, true));
  stop_others(target, dying);
  target.mappings = parse_maps(slurp("/proc/" + std::to_string(pid) + "/maps"));
  target.files["exe"] = std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/exe");
  Copy copy(target);
  target.files["program data"] = program_data(target, copy.live());
  if (copied == Copied::everything) copy_everything(target, copy);
  else copy_budget(target, copy);
  target.memory = std::move(copy).memory();
  return target;
}

[[noreturn]] void become(const std::vector<std::string>& argv, int ready) {
  char go = 0;
  if (read(ready, &go, 1) != 1) _exit(127);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const auto& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// Lets the tree run until a thread of it is about to take a fatal signal; 0: it ended without one.
pid_t run_until_fatal(pid_t pid) {
  for (int status = 0;;) {
    const pid_t tid = waitpid(-1, &status, __WALL);
    if (tid < 0 || (tid == pid && !WIFSTOPPED(status))) return 0;
    if (!WIFSTOPPED(status)) continue;
    const int signal = WSTOPSIG(status);
    const bool event = status >> 16 != 0;
    if (!event && is_fatal(signal)) return tid;
    ptrace(PTRACE_CONT, tid, nullptr, event ? 0 : signal);
  }
}

// The leader is reported only after every other thread was.
void reap(pid_t pid) {
  int status = 0;
  for (pid_t tid = 0; tid != pid || WIFSTOPPED(status);) {
    tid = waitpid(-1, &status, __WALL);
    if (tid < 0) return;
    if (WIFSTOPPED(status)) ptrace(PTRACE_CONT, tid, nullptr, 0);
  }
}

}  // namespace

std::string built(const std::string& name, const std::string& compiler, const std::string& source) {
  const std::string folder = std::string(BINARY_DIR) + "/dying/";
  std::filesystem::create_directories(folder);
  const std::string file = folder + name + (compiler.starts_with("cc") ? ".c" : ".cpp"), program = folder + name;
  if (slurp(file) == source && std::filesystem::exists(program)) return program;
  std::ofstream(file) << source;
  const auto command = compiler + " -O1 -g -w -pthread -fstack-protector-strong -o " + program + " " + file;
  return std::system(command.c_str()) == 0 ? program : std::string();
}

Target dead(const std::vector<std::string>& argv, Copied copied) {
  int ready[2];
  Target target;
  target.memory = std::make_unique<BlockMemory>(std::vector<BlockMemory::Block>{});
  if (argv.empty() || argv[0].empty() || pipe2(ready, O_CLOEXEC) != 0) return target;
  const pid_t pid = fork();
  if (pid == 0) become(argv, ready[0]);
  ptrace(PTRACE_SEIZE, pid, nullptr, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  if (write(ready[1], "g", 1) != 1) kill(pid, SIGKILL);
  close(ready[0]);
  close(ready[1]);
  if (const pid_t dying = run_until_fatal(pid)) {
    target = taken(pid, dying, copied);
    kill(pid, SIGKILL);
    reap(pid);
  }
  return target;
}

}  // namespace sigwhy::test
