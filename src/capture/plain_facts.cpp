#include "capture/plain_facts.h"

#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>

#include <string_view>

#include "base/byte_reader.h"
#include "capture/signals.h"
#include "target/arena.h"

namespace sigwhy::capture {

namespace {

struct Plain {
  siginfo_t signal{};
  bool has_signal = false;
  ThreadRecord thread{};
  std::string_view command;
};

Plain read_plain(std::span<const std::byte> arena) {
  Plain plain;
  ByteReader in(arena);
  const auto header = in.read<ArenaHeader>();
  while (!in.failed() && in.position() + sizeof(RecordHeader) <= header.used) {
    const auto record = in.read<RecordHeader>();
    ByteReader payload(in.take(record.bytes));
    const auto type = static_cast<RecordType>(record.type);
    if (type == RecordType::signal) {
      plain.signal = payload.read<siginfo_t>();
      plain.has_signal = true;
    } else if (type == RecordType::thread && plain.thread.tid == 0) {
      plain.thread = payload.read<ThreadRecord>();
    } else if (type == RecordType::file && strcmp(payload.read<FileRecord>().name, "cmdline") == 0) {
      plain.command = payload.take_text(payload.left());
    }
    in.seek((in.position() + 7) & ~std::size_t{7});
  }
  return plain;
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
  add("  UNKNOWN  what is certain: thread %d (%s)", plain.thread.tid, plain.thread.name);
  if (plain.thread.has_registers) add(" was at %#llx", plain.thread.registers.rip);
  if (plain.has_signal && plain.signal.si_code > 0) add(",\n           the kernel named address %p", plain.signal.si_addr);
  add("\nNot seen\n  stacks and causes: the process that works them out failed or took too long.\n");
  fwrite(text, 1, static_cast<std::size_t>(size), stderr);
}

std::uint64_t stack_pointer_of(pid_t tid) {
  user_regs_struct registers{};
  return ptrace(PTRACE_GETREGS, tid, nullptr, &registers) == 0 ? registers.rsp : 0;
}

}  // namespace sigwhy::capture
