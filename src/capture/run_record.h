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

namespace sigwhy::capture {

inline constexpr std::uint32_t run_record_version = 1;
inline constexpr std::size_t record_processes = 8;   // with a column of their own
inline constexpr std::size_t record_others = record_processes - 1;  // that of all others together
inline constexpr std::size_t record_kept = 256, record_recent = 64;
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
  char boot_id[40];
  char command[16], directory[256], executable[256];
  std::uint32_t arguments_bytes, unused;
  char arguments[1024];  // NUL behind each
};

// `used_bytes` of the newest reading; the counters as they were at `at_s`, a little earlier: surely before the end.
struct RecordedGroup {
  char path[256], directory[256];
  std::int32_t version;  // 0: no group was found
  std::int32_t killed_as_one;
  std::uint64_t limit_bytes;  // 0: none
  std::uint64_t used_bytes;
  std::int64_t oom_kills, limit_hits;  // -1: unknown
  double at_s;
};

struct RecordedMachine {
  std::uint64_t memory_bytes, available_bytes, swap_bytes, swap_free_bytes;
  std::int64_t oom_kills;  // -1: unknown
};

struct RunRecord {
  std::uint32_t version, bytes;
  RecordedIdentity identity;
  RecordedMachine machine;
  RecordedGroup group;
  RecordedLine line;
  double last_s;           // of the newest reading
  std::uint32_t stride;    // ticks from one kept reading to the next
  std::uint32_t kept_count;
  std::uint32_t recent_count;  // all there ever were; the newest 64 are in the ring
  std::uint32_t step_count;
  double tick_s;           // from one reading to the next, as it is now
  RecordedProcess processes[record_processes];
  RecordedStep steps[record_steps];
  Reading recent[record_recent];
  std::uint32_t holders_bytes;
  std::uint32_t rewrites;  // of `kept`, other than by adding to it
  std::byte holders[4096];  // a quiet look near the limit at what holds the memory; made once
  Reading kept[record_kept];
};

struct RecordSlot {
  std::atomic<std::uint64_t> begun, ended;
  std::uint32_t checksum, unused;
  RunRecord record;
};

// Both on disk, and the shared memory around it stays under 128 KiB.
struct RecordSlots {
  char magic[8];
  std::uint64_t unused;
  RecordSlot slot[2];
};
inline constexpr char record_magic[8] = {'S', 'I', 'G', 'W', 'H', 'Y', 'R', '1'};
static_assert(sizeof(RunRecord) == 59968);
static_assert(sizeof(RecordSlots) < (126u << 10));

// With a checksum only where somebody will read it after a power failure.
void publish(RecordSlots& slots, const RunRecord& record, bool with_checksum);

// The newest whole one; null: there is none. `from_file`: its checksum counts.
const RunRecord* newest_of(const RecordSlots& slots, bool from_file);

}  // namespace sigwhy::capture
