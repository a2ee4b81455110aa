#include "capture/standstill.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/owned_fd.h"
#include "capture/numbered_files.h"
#include "capture/read_again.h"
#include "capture/thread_look.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t most_threads = 512, most_text_bytes = 128u << 10, most_ancestors = 16;

std::string folder_of(pid_t pid) { return "/proc/" + std::to_string(pid); }

std::string link_text(const std::string& path) {
  char text[2048];
  const auto size = ::readlink(path.c_str(), text, sizeof text);
  std::ranges::replace(text, '\n', '?');
  return {text, size > 0 ? static_cast<std::size_t>(size) : 0};
}

// "pipe:[4711]"; 0: no pipe.
unsigned long long pipe_inode(const std::string& descriptor) {
  unsigned long long inode = 0;
  return sscanf(link_text(descriptor).c_str(), "pipe:[%llu]", &inode) == 1 ? inode : 0;
}

std::string whole_text(const std::string& path) {
  std::string text;
  const OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char part[4096];
  for (ssize_t got; fd && text.size() < (8u << 20) && (got = ::read(fd.get(), part, sizeof part)) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  return text;
}

template <class Use> void each_line(const std::string& text, const Use& use) {
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find('\n', at), text.size());
    if (!use(text.substr(at, end - at))) return;
    at = end + 1;
  }
}

// "7f12a000-7f12b000 rw-s 00000000 00:19 12   /dev/shm/sem.x (deleted)"
void write_memory(pid_t pid, const ThreadLook& look, TextRecord& out) {
  each_line(whole_text(folder_of(pid) + "/maps"), [&](const std::string& line) {
    unsigned long long start = 0, end = 0;
    char permissions[8] = "";
    int name_at = 0;
    const int fields = sscanf(line.c_str(), "%llx-%llx %7s %*s %*s %*s %n", &start, &end, permissions, &name_at);
    if (fields < 3 || look.first_argument < start || look.first_argument >= end) return true;
    out.line("memory %d %d %s %s\n", pid, look.tid, permissions, name_at ? line.c_str() + name_at : "");
    return false;
  });
}

void write_thread(const TreeThread& thread, TextRecord& out) {
  const ThreadLook look = look_at(thread.pid, thread.tid);
  if (look.doing == Doing::gone) return;
  const bool asleep = look.doing == Doing::sleeps && look.system_call >= 0;
  out.line("thread %d %d %d %d %llx %llx %llx\n", thread.pid, thread.parent, thread.tid, asleep ? look.system_call : -1,
           static_cast<unsigned long long>(look.first_argument), static_cast<unsigned long long>(look.second_argument),
           static_cast<unsigned long long>(look.fourth_argument));
  if (!asleep) return;
  if (look.system_call == SYS_futex && !(look.second_argument & FUTEX_PRIVATE_FLAG)) write_memory(thread.pid, look, out);
  if (look.system_call == SYS_flock || look.system_call == SYS_fcntl)
    out.line("file %d %d %s\n", thread.pid, thread.tid,
             link_text(folder_of(thread.pid) + "/fd/" + std::to_string(look.first_argument)).c_str());
}

void write_pipes(pid_t pid, TextRecord& out) {
  const auto folder = folder_of(pid);
  each_number(folder + "/fd", [&](int, const char* number) {
    const auto inode = pipe_inode(folder + "/fd/" + number);
    unsigned long flags = 0;
    if (inode && sscanf(whole_text(folder + "/fdinfo/" + number).c_str(), "pos: %*d flags: %lo", &flags) == 1)
      out.line("pipe %d %s %llu %lo\n", pid, number, inode, flags);
    return true;
  });
}

// Who started the program may hold an end of a pipe that it gave it.
std::vector<pid_t> ancestors_of(pid_t pid) {
  std::vector<pid_t> list;
  while (list.size() < most_ancestors) {
    const auto stat = whole_text(folder_of(pid) + "/stat");
    const char* name_end = strrchr(stat.c_str(), ')');
    if (!name_end || sscanf(name_end + 1, " %*c %d", &pid) != 1 || pid <= 1) break;
    list.push_back(pid);
  }
  return list;
}

void write_locks(TextRecord& out) {
  const auto text = whole_text("/proc/locks");
  if (text.find("->") == std::string::npos) return;
  each_line(text, [&](const std::string& line) {
    out.line("lock %s\n", line.c_str());
    return true;
  });
}

}  // namespace

void write_standstill(pid_t root, std::span<const TreeThread> threads, ArenaWriter& arena) {
  if (threads.size() > most_threads) return;
  TextRecord out(arena, "standstill", most_text_bytes);
  for (const auto& thread : threads) write_thread(thread, out);
  std::set<pid_t> seen;
  for (const auto& thread : threads)
    if (seen.insert(thread.pid).second) write_pipes(thread.pid, out);
  for (const pid_t pid : ancestors_of(root)) write_pipes(pid, out);
  write_locks(out);
  out.line("end\n");
}

bool joined_by_pipe(pid_t one, std::uint64_t descriptor, pid_t other) {
  const auto inode = pipe_inode(folder_of(one) + "/fd/" + std::to_string(descriptor));
  bool found = false;
  if (inode)
    each_number(folder_of(other) + "/fd", [&](int, const char* number) {
      found = pipe_inode(folder_of(other) + "/fd/" + number) == inode;
      return !found;
    });
  return found;
}

}  // namespace sigwhy::capture
