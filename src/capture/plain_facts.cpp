#include "capture/plain_facts.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "capture/signals.h"
#include "target/arena.h"

namespace sigwhy::capture {

namespace {

struct Plain {
  pid_t pid = 0;
  siginfo_t signal{};
  bool has_signal = false;
  ThreadRecord thread{};
  std::string_view command;
  std::string_view groups;  // what MemoryGroups::take() wrote
  std::string_view log;     // the kernel's
};

Plain read_plain(std::span<const std::byte> arena) {
  Plain plain;
  ByteReader in(arena);
  const auto header = in.read<ArenaHeader>();
  while (!in.failed() && in.position() + sizeof(RecordHeader) <= header.used) {
    const auto record = in.read<RecordHeader>();
    ByteReader payload(in.take(record.bytes));
    const auto type = static_cast<RecordType>(record.type);
    if (type == RecordType::process) {
      plain.pid = payload.read<ProcessRecord>().pid;
    } else if (type == RecordType::signal) {
      plain.signal = payload.read<siginfo_t>();
      plain.has_signal = true;
    } else if (type == RecordType::thread && plain.thread.tid == 0) {
      plain.thread = payload.read<ThreadRecord>();
    } else if (type == RecordType::file) {
      const auto file = payload.read<FileRecord>();
      const auto name = file.name_text();
      const auto text = payload.take_text(payload.left());
      if (name == "cmdline" || (name == "start/cmdline" && plain.command.empty())) plain.command = text;
      if (name == "memory_groups") plain.groups = text;
      if (name == "kernel_log") plain.log = text;
    }
    in.seek((in.position() + 7) & ~std::size_t{7});
  }
  return plain;
}

// "before 1043000 0 12" of the process's own group, and the counter as it is now.
bool kills_were_counted(std::string_view groups, unsigned long long& before, unsigned long long& now) {
  const auto line = groups.find("\nbefore "), counter = groups.find("\noom_kill ");
  if (line == groups.npos || counter == groups.npos) return false;
  const std::string own(groups.substr(0, counter + 32));
  return sscanf(own.c_str() + line, "\nbefore %*d %llu", &before) == 1 &&
         sscanf(own.c_str() + counter, "\noom_kill %llu", &now) == 1 && now > before;
}

// Who killed it, as far as it needs no thought.
bool say_kill(const Plain& plain, char* words, std::size_t room) {
  char named[64];
  unsigned long long before = 0, now = 0;
  snprintf(named, sizeof named, "Killed process %d ", plain.pid);
  if (plain.log.contains(named))
    snprintf(words, room, "  PROVEN   out-of-memory-killed: the kernel's log names this process (%d)", plain.pid);
  else if (plain.has_signal && plain.signal.si_code <= 0)
    snprintf(words, room, "  PROVEN   killed-by-process: process %d sent it SIGKILL", plain.signal.si_pid);
  else if (kills_were_counted(plain.groups, before, now))
    snprintf(words, room, "  UNKNOWN  what is certain: kills for memory in its control group: %llu -> %llu", before, now);
  else return false;
  return true;
}

}  // namespace

void print_plain_facts(std::span<const std::byte> arena, const EndMessage& end) {
  if (!WIFSIGNALED(end.wait_status) && end.print < 2) return;
  const Plain plain = read_plain(arena);
  char text[1024];
  int size = snprintf(text, sizeof text, "\nsigwhy: %.200s ", plain.command.empty() ? "the program" : plain.command.data());
  const auto add = [&](const char* format, auto... values) {
    if (size >= 0 && size < static_cast<int>(sizeof text))
      size += snprintf(text + size, sizeof text - static_cast<std::size_t>(size), format, values...);
  };
  if (WIFSIGNALED(end.wait_status))
    add("died of %s (exit %d) after %.1f s\n", signal_name(WTERMSIG(end.wait_status)), 128 + WTERMSIG(end.wait_status),
        end.after_seconds);
  else
    add("exited with %d after %.1f s\n", WEXITSTATUS(end.wait_status), end.after_seconds);
  char kill[256];
  const bool killed = WIFSIGNALED(end.wait_status) && WTERMSIG(end.wait_status) == SIGKILL;
  if (killed && say_kill(plain, kill, sizeof kill)) add("%s", kill);
  else add("  UNKNOWN  what is certain: thread %d (%s)", plain.thread.tid, plain.thread.name);
  if (!killed && plain.thread.has_registers) add(" was at %#llx", plain.thread.registers.rip);
  if (!killed && plain.has_signal && plain.signal.si_code > 0) add(",\n           the kernel named address %p", plain.signal.si_addr);
  add("\nNot seen\n  stacks and causes: the process that works them out failed or took too long.\n");
  fwrite(text, 1, static_cast<std::size_t>(size), stderr);
}

std::uint64_t stack_pointer_of(pid_t tid) {
  user_regs_struct registers{};
  return ptrace(PTRACE_GETREGS, tid, nullptr, &registers) == 0 ? registers.rsp : 0;
}

}  // namespace sigwhy::capture
