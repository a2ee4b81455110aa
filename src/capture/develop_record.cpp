#include "capture/develop_record.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <span>
#include <sstream>

#include "capture/develop_timeline.h"
#include "capture/life_span.h"
#include "capture/record_aftermath.h"
#include "capture/record_use.h"
#include "capture/signals.h"
#include "native/host.h"

namespace sigwhy::capture {

namespace {

constexpr double surely_alone_s = 1;

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

std::vector<std::string> arguments_of(std::span<const char> bytes) {
  std::vector<std::string> words;
  while (!bytes.empty()) {
    const auto size = strnlen(bytes.data(), bytes.size());
    words.emplace_back(bytes.data(), size);
    bytes = bytes.subspan(std::min(size + 1, bytes.size()));
  }
  return words;
}

template <std::size_t size>
std::string text_in(const char (&text)[size]) {
  return {text, strnlen(text, size)};
}

// The supervisor may be the first of all to go when everything is killed at once.
bool ran_on(const RunRecord& r) {
  return r.end == RecordedEnd::not_seen || (r.end == RecordedEnd::alone && r.last_s - r.alone_s > surely_alone_s);
}

Termination termination_of(const RunRecord& r) {
  Termination t{.kind = TerminationKind::lost, .after_seconds = std::isfinite(r.last_s) ? r.last_s : 0};
  t.outlived_sigwhy = ran_on(r);
  if (r.end != RecordedEnd::seen) return t;
  if (WIFSIGNALED(r.end_status)) {
    t.kind = TerminationKind::signalled;
    t.signal = WTERMSIG(r.end_status);
    t.signal_name = signal_name(*t.signal);
    t.core_dumped = WCOREDUMP(r.end_status);
  } else {
    t.kind = TerminationKind::exited;
    t.exit_code = WEXITSTATUS(r.end_status);
  }
  return t;
}

// Where the memory was held by another process than the one that the user started, the story is about that one.
void set_process(const LeftRecord& left, Snapshot& s) {
  const auto& who = left.record.identity;
  s.process = {.pid = who.pid,
               .uid = who.uid,
               .command = who.command,
               .argv = arguments_of(std::span(who.arguments).first(who.arguments_bytes)),
               .executable = who.executable,
               .directory = who.directory,
               .started_unix_s = who.started_unix_s};
  const RecordedHolders& h = *left.holders;
  if (census_in(h).empty() || h.pid == who.pid) return;
  s.root = Root{who.pid, s.process.argv, s.termination};
  s.termination = {.kind = TerminationKind::lost,
                   .outlived_sigwhy = s.termination.outlived_sigwhy,
                   .after_seconds = s.termination.after_seconds};
  const auto bytes = std::min<std::size_t>(h.arguments_bytes, sizeof h.arguments);
  s.process.pid = h.pid;
  s.process.command = text_in(h.command);
  s.process.argv = arguments_of(std::span(h.arguments).first(bytes));
  s.process.executable.clear();
  s.process.directory = text_in(h.directory);
}

void say_what_is_missing(const RunRecord& r, Snapshot& s) {
  if (r.end == RecordedEnd::seen || ran_on(r))
    s.gaps.push_back({"the end itself: registers, stacks, memory", "sigwhy was killed before it, while the program ran on", ""});
  else
    s.gaps.push_back({"the end itself: registers, stacks, memory, exit status",
                      "program and sigwhy were killed together, so there was no stop to look in",
                      "keep sigwhy out of the group that is killed, or switch memory.oom.group off"});
  if (std::isfinite(r.tick_s) && r.tick_s > 0.5)
    s.gaps.push_back({"memory in the last moment", "readings were " + std::to_string(std::lround(r.tick_s * 10)) + " tenths of a second apart", ""});
}

}  // namespace

std::optional<LeftRecord> left_record(const std::string& path) {
  OwnedFd fd(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd || flock(fd.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  const auto image = std::make_unique<RecordImage>();
  if (::pread(fd.get(), static_cast<void*>(image.get()), sizeof *image, 0) != sizeof *image) return std::nullopt;
  const RunRecord* newest = newest_of(image->slots, true);
  auto record = newest ? record_in(std::string(reinterpret_cast<const char*>(newest), sizeof *newest)) : std::nullopt;
  if (!record) return std::nullopt;
  const auto& who = record->identity;
  if (same_boot(*record) && (still_runs(who.pid, who.pid_started) || still_runs(who.keeper, who.keeper_started)))
    return std::nullopt;
  auto holders = std::make_unique<RecordedHolders>();
  if (!census_in(image->holders).empty()) publish(image->holders, *holders);
  return LeftRecord{std::move(fd), *record, std::move(holders)};
}

Snapshot develop_record(const LeftRecord& left) {
  const RunRecord& r = left.record;
  Snapshot s;
  s.host = native::this_host();
  s.termination = termination_of(r);
  set_process(left, s);
  s.timeline = timeline_of(r);
  s.memory_bounds = bounds_of(r);
  say_what_is_missing(r, s);
  add_aftermath(r, s);
  s.memory_use = memory_use_of(left, s);
  return s;
}

}  // namespace sigwhy::capture
