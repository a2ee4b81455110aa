// /dev/shm holds what processes share: torch's DataLoader workers and multiprocessing.shared_memory put whole batches
// there. Docker gives 64 MiB of it. A write beyond its size is a SIGBUS, which looks like a crash of the library.
#include <fmt/format.h>
#include <sys/statvfs.h>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

constexpr std::uint64_t little_bytes = 256 << 20;

// "num_workers=4" in the user's own code; 0 means none.
bool has_workers(const std::string& code) {
  for (auto at = code.find("num_workers"); at != code.npos; at = code.find("num_workers", at + 1)) {
    const auto rest = stripped(std::string_view(code).substr(at + 11, 20));
    if (!rest.starts_with('=')) continue;
    if (const auto value = stripped(rest.substr(1)); !value.starts_with('0') && !value.starts_with('=')) return true;
  }
  return code.find("shared_memory") != code.npos;
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  struct statvfs status {};
  if (::statvfs("/dev/shm", &status) != 0 || !has_workers(p.imports.code)) return;
  const std::uint64_t free_bytes = status.f_bavail * status.f_frsize, all_bytes = status.f_blocks * status.f_frsize;
  if (free_bytes >= little_bytes) return;
  concerns.push_back({.cause = Cause::shared_memory_full,
                      .severity = Severity::may_end,
                      .claim = fmt::format("/dev/shm has {} MiB left, and worker processes pass their batches through it", free_bytes >> 20),
                      .because = {fmt::format("it has {} MiB in all", all_bytes >> 20)},
                      .fix = {"give the container more: docker run --shm-size=2g, or --ipc=host", "or load in the main process: num_workers=0"}});
}

}  // namespace

extern const Check shared_memory;
const Check shared_memory = {.order = 7, .look = look};

}  // namespace sigwhy::inventory::checks
