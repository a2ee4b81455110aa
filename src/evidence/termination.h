// How a process ended, as the kernel told it. Nothing here is interpreted: si_addr stays what the kernel
// said even where that is known to mislead (a non-canonical access arrives as address 0); what the
// instruction really touched is in Fault.
#pragma once
#include <signal.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/address.h"

namespace sigwhy {

// `running`: it has not ended, somebody looked at it. `lost`: it and sigwhy ended together, so that nobody saw how;
// all that is known is the record that was kept while it ran.
enum class TerminationKind { exited, signalled, killed_for_memory, hung, running, lost, unknown };

// Those that a program brings upon itself, by an instruction or by abort().
constexpr bool is_fault_signal(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGABRT || signal == SIGILL || signal == SIGFPE || signal == SIGTRAP;
}

// Who sent a signal, where the kernel names a sender.
enum class SenderRelation { itself, parent, child, relative, kernel, terminal, other, unknown };

struct Sender {
  std::int64_t pid = 0;
  std::int64_t uid = 0;
  SenderRelation relation = SenderRelation::unknown;
  std::optional<std::string> command;
};

// A polite signal (SIGTERM, SIGINT, SIGXCPU) that did not end the process at once: a scheduler sends one some time
// before it kills.
struct AskedBefore {
  int signal = 0;
  std::string signal_name;
  std::optional<double> seconds_before;  // absent: it was never delivered, so nobody saw when
  std::string reaction;  // "handled", "ignored", "blocked"
  std::optional<Sender> sender;
};

// What a sleeping thread of the program waits for: a lock of its own process or one that processes share, the end of a
// child, data in or room in a pipe, the lock on a file; `other`: anything that may come from elsewhere.
enum class AwaitedThing { lock, shared_lock, child, pipe_data, pipe_room, file_lock, other };

struct Wait {
  std::int64_t pid = 0;
  std::int64_t tid = 0;
  AwaitedThing what = AwaitedThing::other;
  std::optional<std::string> system_call;
  std::optional<std::string> file;  // of a file_lock
  std::vector<std::int64_t> enders;  // the processes that could end it
};

// No progress: the first thread of the process that the user started slept in one call, and the tree used next to no CPU.
struct Hang {
  double still_seconds = 0;
  bool ended_by_sigwhy = false;            // --on-hang kill
  std::optional<std::int64_t> forked_from;  // and it still runs the same program
  std::optional<std::uint64_t> parent_threads;  // that process has now
  std::vector<Wait> waits;  // of every thread in the tree; empty: not all of them could be seen
};

struct Termination {
  TerminationKind kind = TerminationKind::unknown;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::optional<std::string> signal_name;
  std::optional<int> code;  // si_code
  std::optional<std::string> code_name;
  std::optional<Address> address;  // si_addr, as given
  std::optional<Sender> sender;
  bool core_dumped = false;
  // The program's own handler ran for the fault before the end (faulthandler, Abseil, the JVM).
  bool handled_first = false;
  std::optional<int> handled_signal;  // the one it handled; code and address are that fault's
  std::optional<AskedBefore> asked_before;
  std::optional<Hang> hang;
  bool outlived_sigwhy = false;  // of `lost`: sigwhy was killed and the program ran on, how it ended nobody saw
  double after_seconds = 0;
  std::optional<double> cpu_seconds;  // that all its threads had used when it was killed
};

}  // namespace sigwhy
