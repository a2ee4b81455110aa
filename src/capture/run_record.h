// What is remembered of a run while it goes on, as one block of fixed size: who it is, what bounds it, its memory
// over time, where its main thread stood. The keeper's sampler fills it; it lies in memory shared with the
// supervisor, which copies it into the arena at a death, and in a file, which is all that is left where program and
// sigwhy are killed at the same moment (Kubernetes ends a container's whole group so).
//
// It is published into two slots by turns. A slot's two numbers differ while it is being written, so whoever is
// killed in the middle leaves the other, older slot whole. The checksum is for the file: a machine that stops may
// have written some of its pages and not others.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "python/census_record.h"

namespace sigwhy::capture {

inline constexpr std::uint32_t run_record_version = 2;
inline constexpr std::size_t record_processes = 8;   // with a column of their own
inline constexpr std::size_t record_others = record_processes - 1;  // that of all others together
inline constexpr std::size_t record_kept = 256, record_recent = 64;
inline constexpr std::size_t record_levels = 6;  // of control groups
inline constexpr std::size_t record_steps = 8, record_step_values = 40;
inline constexpr std::uint32_t not_read = ~std::uint32_t{0};

// In KiB. anonymous == not_read: there was no such process then.
struct ProcessReading {
  std::uint32_t anonymous, file, shared, swap;
};

struct Reading {
  double at_s;              // since the start
  std::uint32_t group_kib;  // not_read: unknown
  std::uint32_t available_kib;  // of the machine's memory
  ProcessReading processes[record_processes];
};

struct RecordedProcess {
  std::int32_t pid;  // 0: none, or all others together
  std::uint32_t count;  // how many processes this column was at the last reading
  char command[16];
};

struct RecordedValue {
  double at_s;
  std::int64_t value;
};

// An integer variable of the user's own code. Thinned like the readings.
struct RecordedStep {
  char name[40], function[56], file[128];
  std::uint32_t count, stride, looks, unused;
  RecordedValue values[record_step_values];
};

struct RecordedLine {
  char file[192], function[64];
  std::int32_t line;  // 0: none was seen
  std::uint32_t unused;
  double at_s;
};

struct RecordedIdentity {
  std::int32_t pid, keeper, supervisor, uid;
  std::uint64_t pid_started, keeper_started;  // /proc/PID/stat, in the kernel's ticks since the boot
  std::int64_t started_unix_s;
  double started_monotonic_s;  // what all other times count from
  char boot_id[40];
  char command[16], directory[256], executable[256];
  std::uint32_t arguments_bytes, unused;
  char arguments[1024];  // NUL behind each
};

// The innermost group that has a limit; the program's own where none has one.
struct RecordedGroup {
  char path[256], directory[256];
  std::int32_t version;  // 0: no group was found
  std::uint32_t unused;
  std::uint64_t limit_bytes;  // 0: none
  std::uint64_t used_bytes;   // at the newest reading
};

// -1: unknown.
struct RecordedCounts {
  std::int64_t kills;        // for memory, of processes in this very group
  std::int64_t kills_below;  // and in all groups below it; version 2 alone counts them
  std::int64_t limit_hits;   // times that memory was refused because of this very limit
};

struct RecordedCounters {
  double at_s;  // 0: none yet
  RecordedCounts level[record_levels];
};

struct RecordedLevel {
  std::uint64_t inode;  // of its folder: another group may have the same name later
  std::uint64_t limit_bytes;
  std::uint64_t killed_as_one;
};

// The program's own group and those around it: their names are the fronts of its name.
struct RecordedLevels {
  char path[256], directory[256];
  std::uint64_t count;
  RecordedLevel level[record_levels];
  RecordedCounters newer, older;  // two seconds apart
};

struct RecordedMachine {
  std::uint64_t memory_bytes, available_bytes, swap_bytes, swap_free_bytes;
  std::int64_t oom_kills;  // -1: unknown
};

// What is known of the end by whoever wrote the record last.
enum class RecordedEnd : std::int32_t {
  together,    // nothing: if it is over, everybody ended at once
  alone,       // sigwhy's supervisor was killed and the program ran on
  not_seen,    // and it ended, nobody knows how
  seen,        // and it ended with this wait status
};

struct RunRecord {
  std::uint32_t version, bytes;
  RecordedIdentity identity;
  RecordedMachine machine;
  RecordedGroup group;
  RecordedLevels levels;
  RecordedLine line;
  RecordedEnd end;
  std::int32_t end_status;  // of `seen`
  double alone_s;           // since when the program has run on without the supervisor; 0: it never did
  double last_s;           // of the newest reading
  std::uint32_t stride;    // ticks from one kept reading to the next
  std::uint32_t kept_count;
  std::uint32_t recent_count;  // all there ever were; the newest 64 are in the ring
  std::uint32_t step_count;
  double tick_s;           // from one reading to the next, as it is now
  RecordedProcess processes[record_processes];
  RecordedStep steps[record_steps];
  Reading recent[record_recent];
  std::uint32_t unused;
  std::uint32_t rewrites;  // of `kept`, other than by adding to it
  Reading kept[record_kept];
};

struct RecordSlot {
  std::atomic<std::uint64_t> begun, ended;
  std::uint32_t checksum, unused;
  RunRecord record;
};

// Both in the file, and in shared memory that stays under 128 KiB.
struct RecordSlots {
  char magic[8];
  std::uint64_t unused;
  RecordSlot slot[2];
};
inline constexpr char record_magic[8] = {'S', 'I', 'G', 'W', 'H', 'Y', 'R', '2'};
static_assert(sizeof(RecordSlots) < (126u << 10));

// A quiet look near the limit at what holds the memory: a python::census_record of one process. Made once a run, so
// it needs no second slot: it counts as soon as `bytes` is set.
struct RecordedHolders {
  std::atomic<std::uint32_t> bytes;
  std::uint32_t checksum;  // of `census`
  std::int32_t pid;
  std::uint32_t arguments_bytes;
  double at_s, took_s;
  char command[16], directory[256], arguments[1024];
  std::byte census[(python::most_census_bytes + 7) / 8 * 8];
};

// What the file is.
struct RecordImage {
  RecordSlots slots;
  RecordedHolders holders;
};

// With a checksum only where somebody will read it after a power failure.
void publish(RecordSlots& slots, const RunRecord& record, bool with_checksum);

// The newest whole one; null: there is none. `from_file`: its checksum counts.
const RunRecord* newest_of(const RecordSlots& slots, bool from_file);

void publish(const RecordedHolders& from, RecordedHolders& into);
// Empty: there was no such look, or it is damaged.
std::span<const std::byte> census_in(const RecordedHolders& holders);

}  // namespace sigwhy::capture
