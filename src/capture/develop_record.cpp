#include "capture/develop_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>

#include "capture/develop_timeline.h"
#include "capture/life_span.h"
#include "native/host.h"

namespace sigwhy::capture {

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool same_boot(const RunRecord& r) {
  auto id = text_of("/proc/sys/kernel/random/boot_id");
  while (id.ends_with('\n')) id.pop_back();
  return id == r.identity.boot_id;
}

bool still_runs(pid_t pid, std::uint64_t start_ticks) {
  const auto span = life_span_of(pid);
  return pid > 0 && start_ticks && span.start_ticks == start_ticks && !span.ended;
}

std::optional<std::uint64_t> number_behind(const std::string& text, const std::string& key) {
  const auto at = ("\n" + text).find("\n" + key);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t value = 0;
  const char* from = text.data() + at + key.size();
  if (std::from_chars(from, text.data() + text.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

// As they are now: a counter that rose since the last reading rose at the end of the run or after it.
void add_counters(const LeftRecord& left, Snapshot& s) {
  const auto& group = left.record.group;
  if (!same_boot(left.record)) {
    s.gaps.push_back({"how program and sigwhy ended", "the machine was started again since",
                      "the log of the boot before this one may tell: journalctl -b -1 -k"});
    return;
  }
  s.memory_bounds->machine_oom_kills = number_behind(text_of("/proc/vmstat"), "oom_kill ");
  if (s.memory_bounds->groups.empty()) return;
  MemoryGroup& g = s.memory_bounds->groups[0];
  const std::string folder = group.directory;
  const bool old = g.version == 1;
  const auto events = text_of(folder + (old ? "/memory.oom_control" : "/memory.events"));
  if (events.empty()) {
    s.gaps.push_back({"the kills that its control group counted", "the group is gone", "kubectl describe pod, or the container runtime, may know"});
    return;
  }
  g.oom_kills = number_behind(events, "oom_kill ");
  g.limit_hits = old ? number_behind(text_of(folder + "/memory.failcnt"), "") : number_behind(events, "max ");
  g.peak_bytes = number_behind(text_of(folder + (old ? "/memory.max_usage_in_bytes" : "/memory.peak")), "");
}

std::vector<std::string> arguments_of(const RecordedIdentity& who) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < who.arguments_bytes;) {
    const auto size = strnlen(who.arguments + at, who.arguments_bytes - at);
    words.emplace_back(who.arguments + at, size);
    at += size + 1;
  }
  return words;
}

void say_what_is_missing(const LeftRecord& left, Snapshot& s) {
  s.gaps.push_back({"the end itself: registers, stacks, memory, exit status",
                    "program and sigwhy were killed together, so there was no stop to look in",
                    "keep sigwhy out of the group that is killed, or switch memory.oom.group off"});
  const double unseen = s.timeline && !s.timeline->at_s.empty() ? left.record.tick_s : 0;
  if (unseen > 0.5)
    s.gaps.push_back({"memory in the last moment", "readings were " + std::to_string(std::lround(unseen * 10)) + " tenths of a second apart", ""});
}

}  // namespace

std::optional<LeftRecord> left_record(const std::string& path) {
  OwnedFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd || flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  const auto slots = std::make_unique<RecordSlots>();
  if (::pread(fd.get(), static_cast<void*>(slots.get()), sizeof *slots, 0) != sizeof *slots) return std::nullopt;
  const RunRecord* newest = newest_of(*slots, true);
  auto record = newest ? record_in(std::string(reinterpret_cast<const char*>(newest), sizeof *newest)) : std::nullopt;
  if (!record) return std::nullopt;
  const auto& who = record->identity;
  if (same_boot(*record) && (still_runs(who.pid, who.pid_started) || still_runs(who.keeper, who.keeper_started)))
    return std::nullopt;
  struct stat status {};
  ::fstat(fd.get(), &status);
  return LeftRecord{std::move(fd), *record, static_cast<double>(time(nullptr) - status.st_mtim.tv_sec)};
}

Snapshot develop_record(const LeftRecord& left) {
  const RunRecord& r = left.record;
  Snapshot s;
  s.host = native::this_host();
  s.termination = {.kind = TerminationKind::lost, .after_seconds = std::isfinite(r.last_s) ? r.last_s : 0};
  s.process = {.pid = r.identity.pid,
               .uid = r.identity.uid,
               .command = r.identity.command,
               .argv = arguments_of(r.identity),
               .executable = r.identity.executable,
               .directory = r.identity.directory,
               .started_unix_s = r.identity.started_unix_s};
  s.timeline = timeline_of(r);
  s.memory_bounds = bounds_of(r);
  say_what_is_missing(left, s);
  add_counters(left, s);
  return s;
}

}  // namespace sigwhy::capture
