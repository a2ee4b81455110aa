#include "capture/record_aftermath.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "base/owned_fd.h"
#include "capture/develop_bounds.h"
#include "capture/kernel_log.h"
#include "target/kernel_text.h"

namespace sigwhy::capture {

namespace {

// The log has a clock of its own, which nobody sets right: it may have drifted from ours since the machine started.
constexpr double drift = 5e-4, most_drift_s = 60;
// In a full group a reading may wait for seconds before everything is killed.
constexpr double longest_end_s = 60;
constexpr int most_records = 1 << 20;

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::optional<std::uint64_t> known(std::int64_t number) {
  return number < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(number));
}

bool is_same(const std::string& folder, const RecordedLevel& level) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && status.st_ino == level.inode;
}

void read_group(const std::string& folder, bool own, MemoryGroup& g) {
  const bool old = g.version == 1;
  const auto events = text_of(folder + (old ? "/memory.oom_control" : "/memory.events"));
  const auto local = old ? std::string() : text_of(folder + "/memory.events.local");
  g.oom_kills = known(number_behind(own && !local.empty() ? local : events, "oom_kill "));
  g.limit_hits = known(old ? number_at(text_of(folder + "/memory.failcnt")) : number_behind(local, "oom "));
  g.peak_bytes = known(number_at(text_of(folder + (old ? "/memory.max_usage_in_bytes" : "/memory.peak"))));
}

void read_groups(const RunRecord& r, Snapshot& s) {
  std::string folder = r.levels.directory;
  auto& groups = s.memory_bounds->groups;
  for (std::size_t i = 0; i < groups.size(); ++i, folder.resize(std::min(folder.rfind('/'), folder.size()))) {
    if (is_same(folder, r.levels.level[i])) read_group(folder, i == 0, groups[i]);
    else if (i == 0)
      s.gaps.push_back({"the kills that its control group counted", "the group no longer exists, or is not to be seen from here",
                        "kubectl describe pod, or the container runtime, may know"});
  }
}

// Each record of /dev/kmsg is one read: "6,10668,23749953883,-;text".
std::optional<double> seconds_of(std::string_view record) {
  const auto second = record.find(','), third = record.find(',', second + 1);
  std::uint64_t microseconds = 0;
  if (third == record.npos) return std::nullopt;
  const auto* from = record.data() + third + 1;
  if (std::from_chars(from, record.data() + record.size(), microseconds).ec != std::errc()) return std::nullopt;
  return static_cast<double>(microseconds) / 1e6;
}

void read_log(const RunRecord& r, MemoryBounds& bounds) {
  const char* without = getenv("SIGWHY_TEST_WITHOUT");
  const OwnedFd fd(without && strstr(without, "log") ? -1 : ::open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd) return;
  const double end_s = r.identity.started_monotonic_s + r.last_s;
  const double slack_s = std::min(most_drift_s, 1 + drift * end_s);
  std::string lines;
  std::optional<double> oldest_s;
  char record[8192];
  for (int i = 0; i < most_records; ++i) {
    const auto got = ::read(fd.get(), record, sizeof record);
    if (got < 0 && (errno == EPIPE || errno == EINTR)) continue;
    if (got <= 0) break;
    const std::string_view text(record, static_cast<std::size_t>(got));
    const auto at_s = seconds_of(text);
    if (!at_s) continue;
    if (!oldest_s) oldest_s = at_s;
    const bool about_it = *at_s > end_s - slack_s && *at_s < end_s + longest_end_s + slack_s;
    if (about_it && (text.contains("oom-kill:") || text.contains("Killed process ")))
      lines += std::string(text.substr(0, text.find('\n'))) + "\n";
  }
  const bool whole = oldest_s && *oldest_s < end_s - slack_s;
  add_log("now " + std::to_string(static_cast<std::uint64_t>(end_s * 1e6)) + " whole " + (whole ? "1" : "0") +
              " same_pids " + (in_first_pid_namespace() ? "1" : "0") + "\n" + lines,
          bounds);
}

}  // namespace

void add_aftermath(const RunRecord& r, Snapshot& s) {
  auto id = text_of("/proc/sys/kernel/random/boot_id");
  while (id.ends_with('\n')) id.pop_back();
  if (id != r.identity.boot_id) {
    s.gaps.push_back({"how program and sigwhy ended", "the machine was started again since",
                      "the log of the boot before this one may tell: journalctl -b -1 -k"});
    return;
  }
  s.memory_bounds->machine_oom_kills = known(number_behind(text_of("/proc/vmstat"), "oom_kill "));
  read_groups(r, s);
  read_log(r, *s.memory_bounds);
}

}  // namespace sigwhy::capture
