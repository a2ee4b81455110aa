#include "capture/sampler.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "capture/clock.h"
#include "target/kernel_text.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

namespace {

constexpr double machine_every_s = 2, short_every_s = 0.2;  // the second while the machine has little left
constexpr double split_every_s = 1;
constexpr std::int64_t page_bytes = 4096;
constexpr double group_every_s = 10;  // a process may be moved into another group

OwnedFd open_file(const std::string& path) { return OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }

std::uint32_t kib(std::int64_t value) {
  return value < 0 ? 0 : static_cast<std::uint32_t>(std::min<std::int64_t>(value, not_read - 1));
}

void copy_text(std::span<char> into, std::string_view text) {
  const auto size = std::min(text.size(), into.size() - 1);
  std::memcpy(into.data(), text.data(), size);
  std::memset(into.data() + size, 0, into.size() - size);
}

}  // namespace

Sampler::Sampler(const RunTable& table, RunRecord& record, double started_s)
    : table_(table), record_(record), started_s_(started_s), groups_(record), meminfo_(open_file("/proc/meminfo")),
      vmstat_(open_file("/proc/vmstat")) {
  record_.version = run_record_version;
  record_.bytes = sizeof(RunRecord);
  record_.stride = 1;
  record_.machine.oom_kills = -1;
  record_.identity.started_monotonic_s = started_s;
}

void Sampler::follow(std::size_t index) {
  Followed& f = followed_[index];
  const pid_t pid = table_.watched()[index].pid.load();
  if (pid == f.pid) return;
  f = {};
  f.pid = pid;
  if (!pid) return;
  f.statm = open_file("/proc/" + std::to_string(pid) + "/statm");
  f.status = open_file("/proc/" + std::to_string(pid) + "/status");
}

// statm: "size resident shared ..." in pages; `shared` is mapped files and shared memory.
bool Sampler::read_process(Followed& f, double at_s) {
  auto text = read_short_again(f.statm);
  const auto next = [&] {
    const auto value = number_at(text);
    text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
    return value;
  };
  next();
  const auto resident = next(), shared = next();
  if (resident <= 0 || shared < 0) return false;  // it has ended: a zombie has no memory
  const auto page_kib = page_bytes >> 10;
  if (f.split_s < 0 || at_s - f.split_s >= split_every_s) read_split(f, at_s);
  f.now.anonymous = kib((resident - shared) * page_kib);
  f.now.file = kib(shared * page_kib - static_cast<std::int64_t>(f.now.shared));
  if (f.column < 0) f.column = column_for(f);
  auto& peak = peak_kib_[static_cast<std::size_t>(f.column)];
  peak = std::max(peak, f.total());
  return true;
}

void Sampler::read_split(Followed& f, double at_s) {
  const auto text = read_short_again(f.status);
  f.split_s = at_s;
  f.now.shared = kib(number_behind(text, "RssShmem:"));
  f.now.swap = kib(number_behind(text, "VmSwap:"));
  if (text.starts_with("Name:\t")) copy_text(f.command, text.substr(6, text.find('\n') - 6));
  if (f.column >= 0 && f.column < static_cast<int>(record_others)) copy_text(record_.processes[f.column].command, f.command);
}

// A free column, or that of an ended process that never was as large as this one is; else with all others.
int Sampler::column_for(const Followed& process) {
  std::size_t best = record_others;
  for (std::size_t c = 0; c < record_others; ++c) {
    if (!record_.processes[c].pid) {
      best = c;
      break;
    }
    const bool lives = std::ranges::any_of(followed_, [&](const Followed& f) { return f.column == static_cast<int>(c); });
    if (!lives && peak_kib_[c] <= process.total() && (best == record_others || peak_kib_[c] < peak_kib_[best])) best = c;
  }
  if (best == record_others) return static_cast<int>(best);
  record_.rewrites += record_.processes[best].pid != 0;
  if (record_.processes[best].pid)
    for (auto* readings : {record_.kept, record_.recent})
      for (std::size_t i = 0; i < (readings == record_.kept ? record_kept : record_recent); ++i)
        readings[i].processes[best] = {not_read, 0, 0, 0};
  record_.processes[best] = {.pid = process.pid, .count = 1, .command = {}};
  copy_text(record_.processes[best].command, process.command);
  peak_kib_[best] = 0;
  return static_cast<int>(best);
}

void Sampler::read_machine(Reading& reading) {
  auto& m = record_.machine;
  const bool is_short = m.available_bytes < m.memory_bytes / 5;
  if (machine_read_s_ < 0 || reading.at_s - machine_read_s_ >= (is_short ? short_every_s : machine_every_s)) {
    machine_read_s_ = reading.at_s;
    const auto text = read_short_again(meminfo_);
    const auto bytes = [&](std::string_view key) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_behind(text, key))) << 10;
    };
    m.memory_bytes = bytes("MemTotal:");
    m.available_bytes = bytes("MemAvailable:");
    m.swap_bytes = bytes("SwapTotal:");
    m.swap_free_bytes = bytes("SwapFree:");
    m.oom_kills = number_behind(read_short_again(vmstat_), "oom_kill ");
    groups_.read_limit();
  }
  reading.available_kib = kib(static_cast<std::int64_t>(m.available_bytes >> 10));
}

bool Sampler::read() {
  Reading reading{.at_s = monotonic_s() - started_s_, .group_kib = not_read};
  for (auto& p : reading.processes) p = {not_read, 0, 0, 0};
  auto& others = reading.processes[record_others];
  record_.processes[record_others].count = 0;
  process_count_ = 0;
  std::uint32_t most_kib = 0;
  for (std::size_t i = 0; i < followed_.size(); ++i) {
    follow(i);
    Followed& f = followed_[i];
    if (!f.pid || !read_process(f, reading.at_s)) continue;
    ++process_count_;
    if (f.total() >= most_kib) {
      most_kib = f.total();
      largest_ = f.pid;
    }
    if (f.column < static_cast<int>(record_others)) {
      reading.processes[f.column] = f.now;
      continue;
    }
    if (!record_.processes[record_others].count++) others = {};
    others.anonymous += f.now.anonymous;
    others.file += f.now.file;
    others.shared += f.now.shared;
    others.swap += f.now.swap;
  }
  if (!process_count_) return false;
  if (group_found_s_ < 0 || reading.at_s - group_found_s_ > group_every_s) {
    group_found_s_ = reading.at_s;
    groups_.find(followed_[0].pid ? followed_[0].pid : largest_);
  }
  groups_.read(reading);
  read_machine(reading);
  keep(reading);
  return true;
}

void Sampler::keep(const Reading& reading) {
  record_.last_s = reading.at_s;
  record_.recent[record_.recent_count++ % record_recent] = reading;
  if (ticks_++ % record_.stride != 0) return;
  if (record_.kept_count == record_kept) {
    for (std::size_t i = 0; i < record_kept / 2; ++i) record_.kept[i] = record_.kept[2 * i];
    record_.kept_count = record_kept / 2;
    record_.stride *= 2;
    ++record_.rewrites;
    if ((ticks_ - 1) % record_.stride != 0) return;
  }
  record_.kept[record_.kept_count++] = reading;
}

}  // namespace sigwhy::capture
