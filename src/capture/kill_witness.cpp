#include "capture/kill_witness.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "capture/kernel_log.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t ring_bytes = 2 * page;
// Rings count into what we take of the machine's memory: half a megabyte at most.
constexpr int most_cpus = 64;

// The record of signal_generate, behind the eight bytes that all tracepoints share; the same since Linux 2.6.33.
struct SignalGenerate {
  std::uint64_t shared;
  std::int32_t signal;
  std::int32_t error;
  std::int32_t code;
  char command[16];  // the target's
  std::int32_t target;
  std::int32_t group;
  std::int32_t result;  // 0: delivered
};
static_assert(sizeof(SignalGenerate) == 48);

// PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW
struct Sample {
  perf_event_header header;
  std::uint32_t pid, tid;
  std::uint64_t time_ns;
  std::uint32_t raw_bytes;
};

std::uint64_t number_in(int fd) {
  char text[32] = "";
  const auto size = fd >= 0 ? ::read(fd, text, sizeof text - 1) : 0;
  return size > 0 ? strtoull(text, nullptr, 10) : 0;
}

// A mount that nobody else sees and that is gone with its descriptor.
OwnedFd private_tracefs() {
  constexpr int create = 6;  // FSCONFIG_CMD_CREATE
  const OwnedFd system(static_cast<int>(syscall(SYS_fsopen, "tracefs", 1)));
  if (!system || syscall(SYS_fsconfig, system.get(), create, nullptr, nullptr, 0) != 0) return {};
  return OwnedFd(static_cast<int>(syscall(SYS_fsmount, system.get(), 1, 0)));
}

std::uint64_t tracepoint_id() {
  constexpr const char* inside = "events/signal/signal_generate/id";
  for (const char* folder : {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"}) {
    const OwnedFd at(::open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC));
    const OwnedFd id(at ? ::openat(at.get(), inside, O_RDONLY | O_CLOEXEC) : -1);
    if (const auto number = number_in(id.get())) return number;
  }
  const OwnedFd at = private_tracefs();
  const OwnedFd id(at ? ::openat(at.get(), inside, O_RDONLY | O_CLOEXEC) : -1);
  return number_in(id.get());
}

}  // namespace

bool KillWitness::find_tracepoint() {
  const char* without = getenv("SIGWHY_TEST_WITHOUT");
  if (without && strstr(without, "tracepoint")) absent_ = Absent::refused;
  else if (!in_first_pid_namespace()) absent_ = Absent::other_pids;
  if (absent_ != Absent::no) return false;
  cpus_ = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
  if (cpus_ > most_cpus) absent_ = Absent::too_many_cpus;
  else if (!(tracepoint_ = tracepoint_id())) absent_ = Absent::refused;
  return absent_ == Absent::no;
}

bool KillWitness::open_ring(int cpu) {
  perf_event_attr wanted{};
  wanted.size = sizeof wanted;
  wanted.type = PERF_TYPE_TRACEPOINT;
  wanted.config = tracepoint_;
  wanted.sample_period = 1;
  wanted.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_RAW;
  wanted.disabled = 1;
  wanted.watermark = 1;
  wanted.wakeup_watermark = ring_bytes;  // nobody is woken: it is read when it is wanted
  wanted.use_clockid = 1;
  wanted.clockid = CLOCK_MONOTONIC;
  OwnedFd low(static_cast<int>(
      syscall(SYS_perf_event_open, &wanted, -1, cpu, -1, static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC))));
  if (!low) return errno == ENODEV;  // that CPU is switched off
  Ring ring{.event = to_keep(std::move(low))};
  ring.pages = mmap(nullptr, ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring.event.get(), 0);
  if (ring.pages == MAP_FAILED) return false;
  const int fd = ring.event.get();
  rings_.push_back(std::move(ring));
  return ioctl(fd, PERF_EVENT_IOC_SET_FILTER, "sig==9||sig==15") == 0 && ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) == 0;
}

bool KillWitness::open_more() {
  if (absent_ != Absent::no) return false;
  if (!tracepoint_) return find_tracepoint();
  if (next_cpu_ >= cpus_) return false;
  if (!open_ring(next_cpu_++)) close_all(Absent::refused);
  return next_cpu_ < cpus_ && absent_ == Absent::no;
}

void KillWitness::close_all(Absent why) {
  for (const Ring& ring : rings_) munmap(ring.pages, ring_bytes);
  rings_.clear();
  absent_ = why;
}

KillWitness::~KillWitness() { close_all(absent_); }

void KillWitness::keep(std::span<const std::byte> bytes) {
  Sample sample;
  SignalGenerate record;
  constexpr std::size_t raw_at = offsetof(Sample, raw_bytes) + sizeof sample.raw_bytes;
  if (bytes.size() < raw_at + sizeof record) return;
  memcpy(&sample, bytes.data(), sizeof sample);
  memcpy(&record, bytes.data() + raw_at, sizeof record);
  if (sample.raw_bytes < sizeof record || record.result != 0) return;
  const auto sender = static_cast<pid_t>(sample.pid);
  sent_[count_++ % sent_.size()] = {.signal = record.signal,
                                    .code = record.code,
                                    .sender = sender > 0 ? sender : 0,
                                    .target = record.target,
                                    .at_s = static_cast<double>(sample.time_ns) / 1e9};
}

void KillWitness::read_ring(const Ring& ring) {
  auto* head = static_cast<perf_event_mmap_page*>(ring.pages);
  const auto* data = static_cast<const std::byte*>(ring.pages) + page;
  const std::uint64_t end = std::atomic_ref(head->data_head).load(std::memory_order_acquire);
  std::uint64_t at = head->data_tail;
  std::byte record[256];
  while (at + sizeof(perf_event_header) <= end) {
    perf_event_header header;
    for (std::size_t i = 0; i < sizeof record && at + i < end; ++i) record[i] = data[(at + i) % page];
    memcpy(&header, record, sizeof header);
    if (header.size < sizeof header) break;
    if (header.type == PERF_RECORD_SAMPLE && header.size <= sizeof record) keep({record, header.size});
    at += header.size;
  }
  std::atomic_ref(head->data_tail).store(end, std::memory_order_release);
}

void KillWitness::read_on() {
  for (const Ring& ring : rings_) read_ring(ring);
}

const SentSignal* KillWitness::sent_to(pid_t process, std::span<const pid_t> threads, int signal) const {
  const SentSignal* newest = nullptr;
  for (const SentSignal& s : sent_) {
    const bool fits = s.signal == signal && s.target && (s.target == process || std::ranges::count(threads, s.target));
    if (fits && (!newest || s.at_s > newest->at_s)) newest = &s;
  }
  return newest;
}

}  // namespace sigwhy::capture
