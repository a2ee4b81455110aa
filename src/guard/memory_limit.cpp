#include "guard/memory_limit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>

namespace sigwhy::guard {

namespace {

u64 number_in(const char* path, u64 otherwise) {
  char text[32];
  if (!read_small_file(path, text, sizeof text) || text[0] < '0' || text[0] > '9') return otherwise;
  u64 value = 0;
  for (const char* at = text; *at >= '0' && *at <= '9'; ++at) value = value * 10 + static_cast<u64>(*at - '0');
  return value;
}

}  // namespace

bool read_small_file(const char* path, char* text, u64 room) {
  const long file = raw_call(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path), O_RDONLY | O_CLOEXEC);
  if (failed(file)) return false;
  const long got = raw_call(SYS_read, file, reinterpret_cast<long>(text), static_cast<long>(room - 1));
  raw_call(SYS_close, file);
  if (failed(got)) return false;
  text[got] = 0;
  return true;
}

u64 memory_limit_bytes() {
  struct sysinfo machine {};
  raw_call(SYS_sysinfo, reinterpret_cast<long>(&machine));
  u64 least = u64{machine.totalram} * machine.mem_unit;
  // A container's own group is the root that it sees; a group below it is not looked for.
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    const u64 limit = number_in(file, ~u64{0});
    if (limit < least) least = limit;
  }
  return least;
}

u64 address_limit_bytes() {
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) != 0) return ~u64{0};
  static_assert(RLIM_INFINITY == ~u64{0});
  return addresses.rlim_cur;
}

u64 max_map_count() { return number_in("/proc/sys/vm/max_map_count", 65530); }

}  // namespace sigwhy::guard
