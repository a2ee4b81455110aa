// One stopped, dead or saved process as raw material: registers, mappings, memory, what /proc said.
// Nothing here is named, unwound or judged yet.
#pragma once
#include <signal.h>
#include <sys/types.h>
#include <sys/user.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"
#include "base/owned_fd.h"
#include "target/memory.h"

namespace sigwhy {

// One line of /proc/PID/maps.
struct Mapping {
  Address start;
  Address end;
  bool readable = false;
  bool writable = false;
  bool executable = false;
  bool shared = false;
  std::uint64_t offset = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::string path;

  bool contains(Address a) const { return start <= a && a < end; }
};

struct RawThread {
  pid_t tid = 0;
  pid_t inner_tid = 0;  // its id inside the process's own pid namespace; the same but for containers
  std::string name;
  bool died = false;
  std::optional<user_regs_struct> registers;
  bool partial = false;  // of the registers only rip, rsp and fs_base were to be had
  std::optional<bool> on_cpu;
  std::optional<int> system_call;  // it slept in this one
};

struct RawGap {
  std::string what, why, remedy;
};

struct Target {
  pid_t pid = 0;
  std::unique_ptr<Memory> memory;   // never null
  std::vector<RawThread> threads;   // the dying one first
  std::vector<Mapping> mappings;    // sorted by start
  std::optional<siginfo_t> signal;  // of the fatal signal
  int wait_status = 0;              // as waitpid gives it; 0 while it is not known
  bool wait_status_known = false;
  bool living = false;              // it runs on: looked at, not caught dying
  bool handled_first = false;       // the fault was first seen by the program's own handler
  // Grabbed at a breakpoint on this function ("PyErr_PrintEx"), in the thread that is marked as the dying one: a
  // Python exception that nobody caught is in flight there. Empty: a signal or an exit.
  std::string stopped_at;
  double after_seconds = 0;
  std::int64_t started_unix_s = 0;
  // What /proc/PID/* said, by file name: "status", "cmdline", "environ", "limits", "auxv", "exe", "cwd", ...
  std::map<std::string, std::string> files;
  // The process's own root directory, to open its files as it saw them; absent: ours.
  OwnedFd root;
  std::vector<RawGap> gaps;
};

// Index of the mapping that contains `a`, or nothing.
std::optional<std::size_t> mapping_at(const std::vector<Mapping>& sorted, Address a);

// Parses /proc/PID/maps; lines that make no sense are left out.
std::vector<Mapping> parse_maps(std::string_view text);

}  // namespace sigwhy
