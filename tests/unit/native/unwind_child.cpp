#include "unwind_child.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "native/lines.h"
#include "native/modules.h"
#include "native/symbols.h"
#include "native/unwind.h"
#include "target/live.h"

namespace sigwhy::test {

namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool ends_a_program(int signal) {
  for (const int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    if (signal == fatal) return true;
  return false;
}

[[noreturn]] void become(const std::vector<std::string>& argv, int start) {
  char go = 0;
  if (read(start, &go, 1) != 1) _exit(127);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDERR_FILENO);
  std::vector<char*> arguments;
  for (const auto& argument : argv) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execv(arguments[0], arguments.data());
  _exit(127);
}

// The thread that is about to take a fatal signal; 0: the program ended without one.
pid_t run_until_fatal(pid_t pid) {
  for (int status = 0;;) {
    const pid_t tid = waitpid(-1, &status, __WALL);
    if (tid < 0 || (tid == pid && !WIFSTOPPED(status))) return 0;
    if (!WIFSTOPPED(status)) continue;
    const bool event = status >> 16 != 0;
    const int signal = WSTOPSIG(status);
    if (!event && ends_a_program(signal)) return tid;
    ptrace(PTRACE_CONT, tid, nullptr, event ? 0 : signal);
  }
}

RawThread stopped(pid_t tid, bool died) {
  RawThread thread{.tid = tid, .died = died};
  user_regs_struct registers{};
  if (ptrace(PTRACE_GETREGS, tid, nullptr, &registers) == 0) thread.registers = registers;
  return thread;
}

}  // namespace

std::string compiled(const std::string& file_name, const std::string& source, const std::string& options) {
  const std::string folder = std::string(BINARY_DIR) + "/unwound/";
  std::filesystem::create_directories(folder);
  const auto program = folder + file_name.substr(0, file_name.rfind('.'));
  const auto file = folder + file_name, record = program + ".command";
  const auto compiler = file_name.ends_with(".cpp") ? "c++ " : "cc ";
  const auto command = compiler + options + " -w -o " + program + " " + file;
  if (contents(file) == source && contents(record) == command && std::filesystem::exists(program)) return program;
  std::ofstream(file) << source;
  if (std::system(command.c_str()) != 0) return {};
  std::ofstream(record) << command;
  return program;
}

StoppedChild::StoppedChild(const std::vector<std::string>& argv) {
  int start[2];
  target.memory = std::make_unique<LiveMemory>(0);
  if (argv[0].empty() || pipe2(start, O_CLOEXEC) != 0) return;
  pid_ = fork();
  if (pid_ == 0) become(argv, start[0]);
  ptrace(PTRACE_SEIZE, pid_, nullptr, PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  if (write(start[1], "g", 1) != 1) kill(pid_, SIGKILL);
  close(start[0]);
  close(start[1]);
  if (const pid_t dying = run_until_fatal(pid_)) grab(dying);
  else pid_ = 0;
}

void StoppedChild::grab(pid_t dying) {
  const auto proc = "/proc/" + std::to_string(pid_);
  target.pid = pid_;
  target.memory = std::make_unique<LiveMemory>(pid_);
  siginfo_t info{};
  if (ptrace(PTRACE_GETSIGINFO, dying, nullptr, &info) == 0) target.signal = info;
  target.threads.push_back(stopped(dying, true));
  for (const auto& entry : std::filesystem::directory_iterator(proc + "/task")) {
    const pid_t tid = std::stoi(entry.path().filename());
    int status = 0;
    if (tid == dying || ptrace(PTRACE_INTERRUPT, tid, nullptr, nullptr) != 0) continue;
    if (waitpid(tid, &status, __WALL) == tid) target.threads.push_back(stopped(tid, false));
  }
  target.mappings = parse_maps(contents(proc + "/maps"));
  target.files["exe"] = std::filesystem::read_symlink(proc + "/exe");
}

StoppedChild::~StoppedChild() {
  if (pid_ == 0) return;
  kill(pid_, SIGKILL);
  int status = 0;
  for (pid_t tid = 0; tid != pid_ || WIFSTOPPED(status);) {
    tid = waitpid(-1, &status, __WALL);
    if (tid < 0) return;
    if (WIFSTOPPED(status)) ptrace(PTRACE_CONT, tid, nullptr, 0);
  }
}

std::vector<std::string> Stacks::names(std::size_t thread) const {
  std::vector<std::string> result;
  if (thread < threads.size())
    for (const auto& frame : threads[thread].frames) result.push_back(frame.symbol.value_or("?"));
  return result;
}

Stacks stacks_of(const Target& target, bool with_lines) {
  Stacks s;
  s.modules = native::modules_of(target);
  s.threads = native::unwind(target, s.modules, s.gaps);
  native::name_frames(target, s.modules, s.threads, s.gaps);
  constexpr std::chrono::seconds long_enough(20);
  if (with_lines)
    native::add_lines(target, s.modules, s.threads, s.gaps, {.budget = long_enough, .own_code_budget = long_enough});
  return s;
}

}  // namespace sigwhy::test
