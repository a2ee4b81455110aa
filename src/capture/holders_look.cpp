#include "capture/holders_look.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "base/crc32c.h"
#include "base/owned_fd.h"
#include "capture/clock.h"
#include "python/census.h"

namespace sigwhy::capture {

namespace {

constexpr double longest_s = 0.04;  // of the walk; finding the interpreter and writing it down come on top
constexpr std::size_t most_scratch = 2u << 20;

constexpr double near_share = 0.95, on_the_way_share = 0.5;
constexpr double little_available = 0.05, less_available = 0.2;  // of the machine's memory
// Where memory grows so fast that the limit is met before the next readings, the look comes earlier.
struct Ahead {
  double share, seconds;
};
constexpr Ahead ahead[] = {{0.85, 2}, {0.5, 0.3}};
constexpr double slope_over_s = 0.45;

double held_kib(const Reading& r) {
  double sum = 0;
  for (const auto& p : r.processes)
    if (p.anonymous != not_read) sum += static_cast<double>(p.anonymous) + static_cast<double>(p.shared);
  return sum;
}

// Of all processes together, over the last readings; 0 where there are too few.
double bytes_a_second(const RunRecord& r) {
  const std::size_t count = std::min<std::size_t>(r.recent_count, record_recent);
  if (count < 2) return 0;
  const Reading& last = r.recent[(r.recent_count - 1) % record_recent];
  const Reading* first = &last;
  for (std::size_t back = 2; back <= count && last.at_s - first->at_s < slope_over_s; ++back)
    first = &r.recent[(r.recent_count - back) % record_recent];
  const double seconds = last.at_s - first->at_s;
  return seconds > 0 ? (held_kib(last) - held_kib(*first)) * 1024 / seconds : 0;
}

std::size_t read_file(pid_t pid, const char* name, std::span<char> into) {
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
  const OwnedFd fd(::open(path, O_RDONLY | O_CLOEXEC));
  const auto got = fd ? ::read(fd.get(), into.data(), into.size()) : 0;
  return got > 0 ? static_cast<std::size_t>(got) : 0;
}

void identify(pid_t pid, RecordedHolders& h) {
  h.pid = pid;
  h.arguments_bytes = static_cast<std::uint32_t>(read_file(pid, "cmdline", h.arguments));
  const auto name = read_file(pid, "comm", std::span(h.command).first(sizeof h.command - 1));
  h.command[name ? name - 1 : 0] = '\0';
  char path[48];
  snprintf(path, sizeof path, "/proc/%d/cwd", pid);
  const auto got = ::readlink(path, h.directory, sizeof h.directory - 1);
  h.directory[got > 0 ? got : 0] = '\0';
}

}  // namespace

Nearness nearness_of(const RunRecord& r, std::uint64_t firm_bytes) {
  const double memory = static_cast<double>(r.machine.memory_bytes), available = static_cast<double>(r.machine.available_bytes);
  if (memory > 0 && available < little_available * memory) return Nearness::near;
  const double limit = static_cast<double>(r.group.limit_bytes), firm = static_cast<double>(firm_bytes);
  if (limit > 0 && firm >= near_share * limit) return Nearness::near;
  const double slope = bytes_a_second(r);
  for (const auto& [share, seconds] : ahead) {
    if (limit > 0 && firm >= share * limit && firm + slope * seconds >= limit) return Nearness::near;
    if (memory > 0 && memory - available >= share * memory && slope * seconds >= available) return Nearness::near;
  }
  const bool group = limit > 0 && firm >= on_the_way_share * limit;
  const bool machine = memory > 0 && available < less_available * memory;
  return group || machine ? Nearness::on_the_way : Nearness::far;
}

HoldersLook::~HoldersLook() {
  if (!scratch_.empty()) munmap(scratch_.data(), scratch_.size());
}

bool HoldersLook::prepare(std::uint64_t limit_bytes) {
  if (is_ready()) return true;
  const std::uint64_t share = limit_bytes ? limit_bytes / 64 : most_scratch;
  const auto bytes = std::clamp<std::uint64_t>(share & ~std::uint64_t{4095}, python::least_census_scratch, most_scratch);
  void* at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (at == MAP_FAILED) return false;
  scratch_ = {static_cast<std::byte*>(at), bytes};
  return true;
}

bool HoldersLook::look(const LivingProcess& process, double at_s) {
  const double before_s = monotonic_s();
  const auto bytes = census_of_living(process, scratch_, seen_->census, longest_s);
  if (!bytes) return false;
  identify(process.pid, *seen_);
  seen_->at_s = at_s;
  seen_->took_s = monotonic_s() - before_s;
  seen_->checksum = crc32c(std::span(seen_->census).first(bytes));
  seen_->bytes.store(static_cast<std::uint32_t>(bytes));
  return true;
}

}  // namespace sigwhy::capture
