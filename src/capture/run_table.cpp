#include "capture/run_table.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <new>

#include "capture/clock.h"

namespace sigwhy::capture {

namespace {

constexpr double end_deadline_s = 0.1;
constexpr int populate_read = 22;  // MADV_POPULATE_READ, since Linux 5.14; refused before
constexpr int most_tries = 3;

// Shared between processes, so without FUTEX_PRIVATE_FLAG.
void futex(const void* word, int operation, std::uint32_t value, const timespec* timeout) {
  syscall(SYS_futex, word, operation, value, timeout, nullptr, 0);
}

}  // namespace

RunTable* RunTable::make(pid_t root) {
  void* shared = mmap(nullptr, sizeof(RunTable), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return nullptr;
  // Anonymous memory is zero, and zero is what everything in here begins as.
  auto* table = static_cast<RunTable*>(shared);
  const OwnedFd low(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  table->wake_fd_ = fcntl(low.get(), F_DUPFD_CLOEXEC, 10);
  table->add(root);
  return table;
}

WatchedProcess* RunTable::slot_of(pid_t pid) {
  for (auto& watched : watched_)
    if (watched.pid.load() == pid) return &watched;
  return nullptr;
}

void RunTable::add(pid_t pid) {
  if (slot_of(pid)) return;
  if (WatchedProcess* free = slot_of(0)) free->pid.store(pid);
}

void RunTable::executed(pid_t pid) {
  add(pid);
  if (WatchedProcess* watched = slot_of(pid)) ++watched->execs;
}

void RunTable::remove(pid_t pid) {
  if (WatchedProcess* watched = slot_of(pid)) watched->pid.store(0);
}

void RunTable::set_record_state(RecordState state, int error) {
  record_error_.store(error);
  record_state_.store(state);
  futex(&record_state_, FUTEX_WAKE, 1, nullptr);
}

void RunTable::end() {
  ending_.store(true);
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto told = ::write(wake_fd_, &one, sizeof one);
  const double deadline = monotonic_s() + end_deadline_s;
  for (;;) {
    const auto state = record_state_.load();
    const double left_s = deadline - monotonic_s();
    const bool waits = state == RecordState::making || state == RecordState::there || log_is_kept_.load();
    if (!waits || left_s <= 0) return;
    timespec left{};
    left.tv_nsec = static_cast<long>(left_s * 1e9);
    futex(&record_state_, FUTEX_WAIT, static_cast<std::uint32_t>(state), &left);
  }
}

void RunTable::prefault() const {
  madvise(const_cast<RunTable*>(this), sizeof *this, populate_read);
}

bool RunTable::counters(RecordedLevels& levels, double& started_monotonic_s) const {
  for (int tries = 0; tries < most_tries; ++tries) {
    const RunRecord* newest = newest_of(slots_, false);
    if (!newest) return false;
    memcpy(&levels, &newest->levels, sizeof levels);
    started_monotonic_s = newest->identity.started_monotonic_s;
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (newest_of(slots_, false) == newest) return levels.count <= record_levels;
  }
  return false;
}

void RunTable::copy_into(ArenaWriter& arena, double ran_s) const {
  std::size_t room = 0;
  constexpr std::size_t bytes = sizeof(FileRecord) + sizeof(RunRecord);
  for (int tries = 0; tries < most_tries; ++tries) {
    const RunRecord* newest = newest_of(slots_, false);
    std::byte* into = newest ? arena.reserve(RecordType::file, bytes, room) : nullptr;
    if (!into) return say_why_not(arena, ran_s);
    const FileRecord file{"timeline"};
    memcpy(into, &file, sizeof file);
    memcpy(into + sizeof file, newest, sizeof *newest);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const RunRecord* again = newest_of(slots_, false);
    if (again != newest && tries + 1 < most_tries) continue;  // it may have been overwritten meanwhile
    arena.commit(bytes);
    break;
  }
  if (record_state_.load() == RecordState::refused)
    arena.gap("a record that would outlive sigwhy", strerror(record_error_.load()), "set SIGWHY_DIR to a folder you can write to");
}

void RunTable::say_why_not(ArenaWriter& arena, double ran_s) const {
  constexpr double reader_starts_within_s = 1;
  if (!sampling_.load() && ran_s > reader_starts_within_s) arena.gap("memory over time", "no process could be had that reads it", "");
}

}  // namespace sigwhy::capture
