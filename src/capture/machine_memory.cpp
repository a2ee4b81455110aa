#include "capture/machine_memory.h"

#include <algorithm>
#include <string_view>

#include "capture/memory_groups.h"
#include "capture/read_again.h"

namespace sigwhy::capture {

MachineMemory MachineMemory::open(double now_s) {
  MachineMemory machine;
  machine.counters_ = open_again("/proc/vmstat");
  machine.use_ = open_again("/proc/meminfo");
  machine.pressure_ = open_again("/proc/pressure/memory");
  machine.remember(now_s);
  return machine;
}

std::optional<std::uint64_t> MachineMemory::kills() const {
  constexpr std::string_view key = "\noom_kill ";
  const auto text = read_again(counters_.get());
  const auto at = text.find(key);
  if (at == text.npos) return std::nullopt;
  std::uint64_t value = 0;
  for (auto digit = at + key.size(); digit < text.size() && text[digit] >= '0' && text[digit] <= '9'; ++digit)
    value = value * 10 + static_cast<std::uint64_t>(text[digit] - '0');
  return value;
}

const MachineMemory::Reading& MachineMemory::before(double now_s) const {
  return newer_.at_s + surely_before_s > now_s && older_.at_s > 0 ? older_ : newer_;
}

void MachineMemory::remember(double now_s) {
  if (newer_.at_s > 0 && newer_.at_s + surely_before_s > now_s) return;
  older_ = newer_;
  newer_ = {now_s, kills()};
}

void MachineMemory::claim_one() {
  const auto now = kills();
  for (Reading* reading : {&newer_, &older_})
    if (reading->kills && now && reading->kills < now) ++*reading->kills;
}

std::optional<std::uint64_t> MachineMemory::kills_since(double now_s) const {
  const auto now = kills(), then = before(now_s).kills;
  if (!now || !then) return std::nullopt;
  return *now - std::min(*now, *then);
}

void MachineMemory::take(ArenaWriter& arena, double now_s) const {
  const auto now = kills(), then = before(now_s).kills;
  TextRecord out(arena, "machine_memory");
  if (now) out.line("oom_kill %llu\n", static_cast<unsigned long long>(*now));
  if (then) out.line("oom_kill_before %llu\n", static_cast<unsigned long long>(*then));
  out.bytes(read_again(use_.get()));
  out.bytes(read_again(pressure_.get()));
}

}  // namespace sigwhy::capture
