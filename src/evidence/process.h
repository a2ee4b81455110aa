// The process that died, the tree it lived in, and the machine under it.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "evidence/termination.h"

namespace sigwhy {

struct Limit {
  std::string name;                   // "stack", "address-space", ...
  std::optional<std::uint64_t> soft;  // absent: unlimited
  std::optional<std::uint64_t> hard;
  std::string unit;
};

// One level of the control groups that limit how many threads there may be (the pids controller; the kernel calls them
// tasks). The limit of each level counts for all processes in it and below it.
struct TaskGroup {
  std::string path;                       // "/job_17"
  std::string limit_file;                 // where it is set: "/sys/fs/cgroup/pids/job_17/pids.max"
  std::optional<std::uint64_t> limit;     // absent: none
  std::optional<std::uint64_t> task_count;  // when the process was stopped
  // New threads that the kernel refused here; the first when the run was young. Version 1, and Linux before 6.11, count
  // in the group of who asked, whichever level's limit it was: there an outer level has none that are ours.
  std::optional<std::uint64_t> refusals_before;
  std::optional<std::uint64_t> refusals;
};

// A process of the supervised tree that was still known when this one died.
struct ProcessNode {
  std::int64_t pid = 0;
  std::int64_t parent = 0;
  std::string command;
  std::optional<Termination> ended;
};

struct Process {
  std::int64_t pid = 0;
  std::int64_t parent = 0;
  std::int64_t uid = 0;
  std::string command;            // the kernel's short name
  std::vector<std::string> argv;  // redacted before it leaves
  std::string executable;
  std::string directory;
  std::int64_t started_unix_s = 0;
  std::optional<std::uint64_t> resident_bytes;
  std::optional<std::uint64_t> thread_count;  // as the kernel counts; not all of them need be in Snapshot.threads
  std::optional<std::uint64_t> locked_bytes, data_bytes;  // what RLIMIT_MEMLOCK and RLIMIT_DATA are compared with
  std::optional<std::uint64_t> descriptor_count;          // open then; absent: nobody counted
  std::optional<std::uint64_t> descriptor_slots;          // the kernel's table for them, which never shrinks
  std::optional<std::uint64_t> mapping_count;             // as the kernel counts; not all need be in Snapshot.regions
  // Only switches that change how libraries behave (OMP_*, TF_*, MALLOC_*, ...), never the whole environment.
  std::map<std::string, std::string> switches;
  std::vector<Limit> limits;
  std::vector<TaskGroup> task_groups;  // its own first, then outwards
  std::vector<std::string> signals_caught;
  std::vector<std::string> signals_ignored;
  std::vector<std::string> signals_blocked;
  std::vector<ProcessNode> tree;
};

// Where the process that died is not the one the user started: the one the user started.
struct Root {
  std::int64_t pid = 0;
  std::vector<std::string> argv;
  Termination termination;
};

struct Host {
  std::string kernel;
  std::string cpu;
  std::vector<std::string> cpu_features;  // as /proc/cpuinfo names them
  std::uint64_t memory_bytes = 0;
};

}  // namespace sigwhy
