// Who waits for what in all processes of a program that hangs. That they wait for each other shows only in the whole
// tree: a child that cannot write because its pipe is full, and the parent, which alone could read it, waiting for the
// child's end. Read from /proc without stopping anything; develop_standstill makes sense of it.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <span>

#include "target/arena.h"

namespace sigwhy::capture {

struct TreeThread {
  pid_t pid = 0, parent = 0, tid = 0;
};

// The file "standstill", a line each:
//   thread PID PARENT TID CALL ARGUMENT1 ARGUMENT2 ARGUMENT4    asleep in this call
//   thread PID PARENT TID -1 0 0 0                              at work, or nobody knows
//   memory PID TID PERMISSIONS PATH    where the lock lies that it waits for, if other processes might share it
//   file PID TID PATH                  the file whose lock it waits for
//   pipe PID DESCRIPTOR INODE FLAGS    an end of a pipe, flags in octal; PID may be an ancestor of the tree
//   lock ...                           a line of /proc/locks
//   end                                nothing was left out
// Nothing where there are too many threads to look at all of them.
void write_standstill(pid_t root, std::span<const TreeThread> threads, ArenaWriter& arena);

// Whether `descriptor` of one process is a pipe that the other has open too.
bool joined_by_pipe(pid_t one, std::uint64_t descriptor, pid_t other);

}  // namespace sigwhy::capture
