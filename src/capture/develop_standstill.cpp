#include "capture/develop_standstill.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "capture/system_calls.h"

namespace sigwhy::capture {

namespace {

using Pid = std::int64_t;

struct Sleeper {
  Pid pid = 0, parent = 0, tid = 0;
  int call = -1;
  std::uint64_t first = 0, second = 0, fourth = 0;
};

struct PipeEnd {
  Pid pid = 0;
  std::uint64_t inode = 0, descriptor = 0;
  bool reads = false, writes = false;
};

struct Standstill {
  std::vector<Sleeper> sleepers;
  std::vector<PipeEnd> pipes;
  std::map<Pid, std::string> memory;  // of a thread: permissions and path of where its lock lies
  std::map<Pid, std::string> files;   // of a thread: the file whose lock it waits for
  std::map<Pid, Pid> lock_holders;    // of a process that waits for a file's lock: who has it
  bool whole = false;
};

std::string rest_of(std::istringstream& fields) {
  std::string text;
  std::getline(fields >> std::ws, text);
  return text;
}

void add_sleeper(std::istringstream& fields, Standstill& s) {
  Sleeper t;
  fields >> t.pid >> t.parent >> t.tid >> t.call >> std::hex >> t.first >> t.second >> t.fourth;
  s.sleepers.push_back(t);
}

void add_pipe(std::istringstream& fields, Standstill& s) {
  PipeEnd end;
  unsigned flags = 0;
  fields >> end.pid >> end.descriptor >> end.inode >> std::oct >> flags;
  end.reads = (flags & O_ACCMODE) != O_WRONLY;
  end.writes = (flags & O_ACCMODE) != O_RDONLY;
  s.pipes.push_back(end);
}

// "1: FLOCK  ADVISORY  WRITE 4711 fd:01:1234 0 EOF", and behind it those who wait for it, "1: -> FLOCK ...".
struct LockLines {
  std::string number;
  Pid holder = 0;

  void add(std::istringstream& fields, Standstill& s) {
    std::string of, kind, mode, access;
    Pid pid = 0;
    fields >> of >> kind;
    const bool waits = kind == "->";
    if (waits) fields >> kind;
    if (!(fields >> mode >> access >> pid)) return;
    if (waits && of == number) s.lock_holders[pid] = holder;
    if (!waits) number = of, holder = pid;
  }
};

Standstill read(const std::string& text) {
  Standstill s;
  LockLines locks;
  std::istringstream lines(text);
  for (std::string line, word; std::getline(lines, line);) {
    std::istringstream fields(line);
    Pid pid = 0, tid = 0;
    fields >> word;
    if (word == "thread") add_sleeper(fields, s);
    if (word == "pipe") add_pipe(fields, s);
    if (word == "lock") locks.add(fields, s);
    if (word == "memory" && fields >> pid >> tid) s.memory[tid] = rest_of(fields);
    if (word == "file" && fields >> pid >> tid) s.files[tid] = rest_of(fields);
    if (word == "end") s.whole = true;
  }
  return s;
}

std::vector<Pid> all_processes(const Standstill& s) {
  std::set<Pid> pids;
  for (const auto& t : s.sleepers) pids.insert(t.pid);
  return {pids.begin(), pids.end()};
}

std::vector<Pid> children_of(const Standstill& s, Pid parent, std::optional<Pid> only) {
  std::set<Pid> pids;
  for (const auto& t : s.sleepers)
    if (t.parent == parent && (!only || t.pid == *only)) pids.insert(t.pid);
  return {pids.begin(), pids.end()};
}

// A time limit ends the wait by itself. Memory with a name may be known to processes outside the tree.
void judge_futex(const Standstill& s, const Sleeper& t, Wait& wait) {
  const auto operation = t.second & FUTEX_CMD_MASK;
  const bool waits = operation == FUTEX_WAIT || operation == FUTEX_WAIT_BITSET || operation == FUTEX_LOCK_PI;
  if (!waits || t.fourth) return;
  const auto memory = s.memory.find(t.tid);
  const bool own = (t.second & FUTEX_PRIVATE_FLAG) || (memory != s.memory.end() && memory->second.find("p ") == 3);
  if (own) {
    wait.what = AwaitedThing::lock;
    wait.enders = {t.pid};
  } else if (memory != s.memory.end() && memory->second.ends_with(" (deleted)")) {
    wait.what = AwaitedThing::shared_lock;
    wait.enders = all_processes(s);
  }
}

void judge_child(const Standstill& s, const Sleeper& t, Wait& wait) {
  const auto named = static_cast<std::int32_t>(t.call == SYS_waitid ? t.second : t.first);
  const bool one = t.call == SYS_waitid ? t.first == P_PID : named > 0;
  wait.enders = children_of(s, t.pid, one ? std::optional<Pid>(named) : std::nullopt);
  if (!wait.enders.empty()) wait.what = AwaitedThing::child;
}

void judge_pipe(const Standstill& s, const Sleeper& t, bool room, Wait& wait) {
  const auto own = std::ranges::find_if(s.pipes, [&](const PipeEnd& e) { return e.pid == t.pid && e.descriptor == t.first; });
  if (own == s.pipes.end()) return;
  std::set<Pid> pids;
  for (const auto& end : s.pipes)
    if (end.inode == own->inode && (room ? end.reads : end.writes)) pids.insert(end.pid);
  if (pids.empty()) return;
  wait.what = room ? AwaitedThing::pipe_room : AwaitedThing::pipe_data;
  wait.enders = {pids.begin(), pids.end()};
}

void judge_file_lock(const Standstill& s, const Sleeper& t, Wait& wait) {
  const auto holder = s.lock_holders.find(t.pid);
  if (holder == s.lock_holders.end() || holder->second <= 0) return;
  wait.what = AwaitedThing::file_lock;
  wait.enders = {holder->second};
  if (const auto file = s.files.find(t.tid); file != s.files.end()) wait.file = file->second;
}

Wait judged(const Standstill& s, const Sleeper& t) {
  Wait wait{.pid = t.pid, .tid = t.tid};
  if (const char* name = system_call_name(t.call)) wait.system_call = name;
  switch (t.call) {
    case SYS_futex: judge_futex(s, t, wait); break;
    case SYS_wait4:
    case SYS_waitid: judge_child(s, t, wait); break;
    case SYS_read:
    case SYS_readv: judge_pipe(s, t, false, wait); break;
    case SYS_write:
    case SYS_writev: judge_pipe(s, t, true, wait); break;
    case SYS_flock:
    case SYS_fcntl: judge_file_lock(s, t, wait); break;
    default: break;
  }
  return wait;
}

}  // namespace

std::vector<Wait> waits_in(const std::string& standstill) {
  const Standstill s = read(standstill);
  std::vector<Wait> waits;
  if (s.whole)
    for (const auto& t : s.sleepers) waits.push_back(judged(s, t));
  return waits;
}

}  // namespace sigwhy::capture
