// Limits that this shell passes on. Only what is known to end runs is said; a number that is merely small is not:
//   address space (ulimit -v)   frameworks reserve far more than they use; TensorFlow dies at import below 1.3 GB
//   stack (ulimit -s)           deep recursion ends as SIGSEGV; thread stacks are as large as this
//   open files (ulimit -n)      workers, shards and event files each take some
//   processes (ulimit -u, pids of the control group)   every thread of a pool counts; OpenBLAS and OpenMP cannot go on
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "inventory/check.h"
#include "target/control_groups.h"
#include "target/kernel_text.h"

namespace sigwhy::inventory::checks {

namespace {

constexpr std::uint64_t mebibyte = 1 << 20;

struct Threshold {
  int resource;
  std::uint64_t least;
  std::uint64_t unit;
  const char* what;
  const char* unit_name;
  const char* fix;
};

bool has_framework(const Prospect& p) {
  return std::ranges::any_of(std::initializer_list<const char*>{"tensorflow", "torch", "jax", "keras"}, [&](const char* name) { return p.imports_module(name); });
}

void look_at_limit(const Threshold& t, std::vector<Concern>& concerns) {
  rlimit limit{};
  if (::getrlimit(static_cast<__rlimit_resource>(t.resource), &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= t.least) return;
  concerns.push_back({.cause = t.resource == RLIMIT_AS ? Cause::out_of_memory_refused : Cause::resource_limit,
                      .severity = Severity::may_end,
                      .claim = fmt::format("{} is limited to {} {}", t.what, limit.rlim_cur / t.unit, t.unit_name),
                      .because = {limit.rlim_max == RLIM_INFINITY ? std::string("the hard limit is open")
                                                                  : fmt::format("the hard limit is {} {}", limit.rlim_max / t.unit, t.unit_name)},
                      .fix = {t.fix}});
}

void look_at_groups(std::uint64_t wanted, std::vector<Concern>& concerns) {
  for (const GroupPlace& place : group_places(group_line_of(0, "pids"), "pids")) {
    const auto& folder = place.folder;
    const auto most = read_text(folder + "/pids.max", 64), now = read_text(folder + "/pids.current", 64);
    if (!most || !now || number_at(*most) < 0 || number_at(*now) < 0) continue;
    const auto left = number_at(*most) - number_at(*now);
    if (left >= static_cast<std::int64_t>(wanted)) continue;
    concerns.push_back({.cause = Cause::resource_limit,
                        .severity = Severity::may_end,
                        .claim = fmt::format("this container may start {} more processes and threads", std::max<std::int64_t>(0, left)),
                        .because = {fmt::format("pids.max of {} is {}, in use are {}", folder, number_at(*most), number_at(*now))},
                        .fix = {"give it more: docker run --pids-limit", "or fewer threads: OMP_NUM_THREADS=1"}});
    return;
  }
}

// Tasks of this user, threads counted, as the kernel counts them against RLIMIT_NPROC: nobody shows that number, so the
// processes are the least there can be.
void look_at_processes(std::vector<Concern>& concerns) {
  rlimit limit{};
  const std::uint64_t wanted = 32 + 2ull * std::max(1u, std::thread::hardware_concurrency());
  if (::geteuid() != 0 && ::getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < wanted)
    concerns.push_back({.cause = Cause::resource_limit,
                        .severity = Severity::may_end,
                        .claim = fmt::format("this user may have {} processes and threads in all", limit.rlim_cur),
                        .because = {fmt::format("thread pools alone take about {} on this machine", wanted)},
                        .fix = {"raise it: ulimit -u", "or fewer threads: OMP_NUM_THREADS=1"}});
  look_at_groups(wanted, concerns);
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  const bool framework = has_framework(p);
  const Threshold thresholds[] = {
      {RLIMIT_AS, framework ? 4096 * mebibyte : 256 * mebibyte, mebibyte, "the address space", "MiB", "raise it: ulimit -v unlimited"},
      {RLIMIT_STACK, 1 * mebibyte, 1024, "the stack", "KiB", "raise it: ulimit -s 8192"},
      {RLIMIT_NOFILE, framework ? 256u : 32u, 1, "the number of open files", "files", "raise it: ulimit -n 4096"},
  };
  for (const auto& t : thresholds) look_at_limit(t, concerns);
  look_at_processes(concerns);
}

}  // namespace

extern const Check limits;
const Check limits = {.order = 5, .look = look};

}  // namespace sigwhy::inventory::checks
