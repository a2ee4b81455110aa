#include "capture/sampler.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include "capture/clock.h"

namespace sigwhy::capture {

namespace {

constexpr double machine_every_s = 2;
constexpr double counters_every_s = 0.5;
constexpr double split_every_s = 1;
constexpr std::int64_t page_bytes = 4096;
constexpr double group_every_s = 10;  // a process may be moved into another group
constexpr std::uint64_t no_limit_bytes = std::uint64_t{1} << 60;

OwnedFd open_file(const std::string& path) { return OwnedFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)); }

// Static: one thread samples, and a page on its small stack is better used otherwise.
std::string_view read_again(const OwnedFd& fd) {
  static char text[16384];
  const auto got = fd ? ::pread(fd.get(), text, sizeof text, 0) : 0;
  return {text, got > 0 ? static_cast<std::size_t>(got) : 0};
}

std::int64_t number_at(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::int64_t value = -1;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The number behind the line that starts with `key`; -1: there is none.
std::int64_t number_behind(std::string_view text, std::string_view key) {
  for (auto at = text.find(key); at != text.npos; at = text.find(key, at + 1))
    if (at == 0 || text[at - 1] == '\n') return number_at(text.substr(at + key.size()));
  return -1;
}

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
    : table_(table), record_(record), started_s_(started_s), meminfo_(open_file("/proc/meminfo")),
      vmstat_(open_file("/proc/vmstat")) {
  record_.version = run_record_version;
  record_.bytes = sizeof(RunRecord);
  record_.stride = 1;
  record_.group.oom_kills = record_.group.limit_hits = record_.machine.oom_kills = -1;
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
  auto text = read_again(f.statm);
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
  const auto text = read_again(f.status);
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

void Sampler::find_group(pid_t pid) {
  const auto own = memory_group_of(pid);
  if (!own) return;
  const auto group = nearest_limited(*own);
  auto& recorded = record_.group;
  if (recorded.version && group.directory == recorded.directory) return;
  copy_text(recorded.path, group.path);
  copy_text(recorded.directory, group.directory);
  recorded.version = group.version;
  const bool old = group.version == 1;
  const auto file = [&](const char* name) { return open_file(group.directory + "/" + name); };
  used_ = file(old ? "memory.usage_in_bytes" : "memory.current");
  counters_ = file(old ? "memory.oom_control" : "memory.events");
  hits_ = old ? file("memory.failcnt") : OwnedFd();
  limit_ = file(old ? "memory.limit_in_bytes" : "memory.max");
  recorded.killed_as_one = !old && number_at(read_again(file("memory.oom.group"))) == 1;
}

void Sampler::read_group(Reading& reading) {
  auto& g = record_.group;
  const auto used = number_at(read_again(used_));
  reading.group_kib = used < 0 ? not_read : kib(used >> 10);
  if (used < 0) return;
  g.used_bytes = static_cast<std::uint64_t>(used);
  if (g.at_s > 0 && reading.at_s - g.at_s < counters_every_s) return;
  g.at_s = reading.at_s;
  read_counters();
}

void Sampler::read_counters() {
  auto& g = record_.group;
  const auto text = read_again(counters_);
  g.oom_kills = number_behind(text, "oom_kill ");
  if (g.version == 2) g.limit_hits = number_behind(text, "max ");
  if (hits_) g.limit_hits = number_at(read_again(hits_));
}

void Sampler::read_machine(Reading& reading) {
  auto& m = record_.machine;
  if (machine_read_s_ < 0 || reading.at_s - machine_read_s_ >= machine_every_s) {
    machine_read_s_ = reading.at_s;
    const auto text = read_again(meminfo_);
    const auto bytes = [&](std::string_view key) {
      return static_cast<std::uint64_t>(std::max<std::int64_t>(0, number_behind(text, key))) << 10;
    };
    m.memory_bytes = bytes("MemTotal:");
    m.available_bytes = bytes("MemAvailable:");
    m.swap_bytes = bytes("SwapTotal:");
    m.swap_free_bytes = bytes("SwapFree:");
    m.oom_kills = number_behind(read_again(vmstat_), "oom_kill ");
    const auto limit = number_at(read_again(limit_));
    record_.group.limit_bytes = limit < 0 || static_cast<std::uint64_t>(limit) >= no_limit_bytes ? 0 : static_cast<std::uint64_t>(limit);
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
    find_group(followed_[0].pid ? followed_[0].pid : largest_);
  }
  read_group(reading);
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
