#include "capture/develop_bounds.h"

#include <signal.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <set>
#include <sstream>

#include "capture/develop_process.h"
#include "capture/signals.h"

namespace sigwhy::capture {

namespace {

constexpr std::uint64_t no_limit = std::uint64_t{1} << 62;

std::string_view file_of(const Target& target, const char* name) {
  const auto found = target.files.find(name);
  return found == target.files.end() ? std::string_view() : std::string_view(found->second);
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() ? std::optional(value)
                                                                                            : std::nullopt;
}

// The number behind a key that begins a line: "anon 4096", "MemTotal:   24 kB".
std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key) {
  for (std::size_t at = 0; at < text.size();) {
    const auto line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    if (!line.starts_with(key) || line.size() <= key.size() || (line[key.size()] != ' ' && line[key.size()] != ':'))
      continue;
    const auto digit = line.find_first_of("0123456789", key.size());
    return digit == line.npos ? std::nullopt : number(line.substr(digit));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> limit_in(std::string_view text) {
  const auto value = number(text);
  return value && *value < no_limit ? value : std::nullopt;
}

std::uint64_t lines_in(std::string_view text) { return static_cast<std::uint64_t>(std::ranges::count(text, '\n')); }

// Version 1 counts a group alone under these names, and with what lies below it under "total_...".
void add_stat_v1(MemoryGroup& g, std::string_view text) {
  g.anonymous_bytes = number_of(text, "total_rss");
  g.shared_bytes = number_of(text, "total_shmem");
  const auto cache = number_of(text, "total_cache");
  if (cache) g.file_bytes = *cache - std::min(*cache, g.shared_bytes.value_or(0));
}

void add_stat_v2(MemoryGroup& g, std::string_view text) {
  g.anonymous_bytes = number_of(text, "anon");
  g.shared_bytes = number_of(text, "shmem");
  const auto file = number_of(text, "file");
  if (file) g.file_bytes = *file - std::min(*file, g.shared_bytes.value_or(0));
  g.kernel_bytes = number_of(text, "kernel");
  if (g.kernel_bytes) return;
  std::uint64_t parts = 0;  // before Linux 5.18 there is no sum
  for (const auto* key : {"slab", "kernel_stack", "pagetables", "percpu", "sock", "vmalloc"})
    parts += number_of(text, key).value_or(0);
  g.kernel_bytes = parts;
}

void add_file(MemoryGroup& g, std::string_view name, std::string_view text) {
  if (name == "memory.current" || name == "memory.usage_in_bytes") g.used_bytes = number(text);
  else if (name == "memory.max" || name == "memory.limit_in_bytes") g.limit_bytes = limit_in(text);
  else if (name == "memory.high") g.high_bytes = limit_in(text);
  else if (name == "memory.swap.max" || name == "memory.memsw.limit_in_bytes") g.swap_limit_bytes = limit_in(text);
  else if (name == "memory.peak" || name == "memory.max_usage_in_bytes") g.peak_bytes = number(text);
  else if (name == "memory.failcnt") g.limit_hits = number(text);
  else if (name == "memory.oom_control") g.oom_kills = number_of(text, "oom_kill");
  else if (name == "memory.kmem.usage_in_bytes") g.kernel_bytes = number(text);
  else if (name == "memory.oom.group") g.killed_as_one = number(text) == 1u;
  else if (name == "cgroup.procs") g.process_count = lines_in(text);
  else if (name == "memory.stat") (g.version == 1 ? add_stat_v1 : add_stat_v2)(g, text);
  else if (name == "memory.events.local") {
    g.oom_kills = number_of(text, "oom_kill");
    g.limit_hits = number_of(text, "oom");
  } else if (name == "memory.events" && !g.oom_kills) g.oom_kills = number_of(text, "oom_kill");
}

struct Processes {
  std::optional<std::set<std::int64_t>> before, gone, now;
};

std::set<std::int64_t> numbers_in(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::set<std::int64_t> found;
  for (std::int64_t pid = 0; in >> pid;) found.insert(pid);
  return found;
}

// What MemoryGroups::take() wrote.
void read_groups(std::string_view text, MemoryBounds& bounds, Processes& processes) {
  KillWindow window;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    std::istringstream words{std::string(line)};
    std::string kind, name;
    words >> kind;
    if (kind == "level") {
      MemoryGroup& g = bounds.groups.emplace_back();
      words >> g.version;
      std::getline(words >> std::ws, g.path);
    } else if (kind == "before" && !bounds.groups.empty()) {
      std::string kills, hits;
      double microseconds = 0;
      words >> microseconds >> kills >> hits;
      window.seconds = microseconds / 1e6;
      bounds.groups.back().oom_kills_before = number(kills);
      bounds.groups.back().limit_hits_before = number(hits);
    } else if (kind == "file" && !bounds.groups.empty()) {
      std::size_t size = 0;
      words >> name >> size;
      add_file(bounds.groups.back(), name, text.substr(0, size));
      if (name == "cgroup.procs") processes.now = numbers_in(text.substr(0, size));
      text.remove_prefix(std::min(size, text.size()));
    } else if (kind == "processes") {
      processes.before = numbers_in(line.substr(kind.size()));
    } else if (kind == "gone") {
      processes.gone = numbers_in(line.substr(kind.size()));
    }
  }
  if (!bounds.groups.empty()) bounds.window = window;
}

// Those of the tree are not meant, nor are we: what became of them is known.
void add_others(const Target& target, Processes processes, std::set<std::int64_t> tree, KillWindow& window) {
  if (!processes.before || !processes.gone || !processes.now) return;
  std::istringstream lines{std::string(file_of(target, "tree"))};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line);
    std::int64_t pid = 0;
    if (fields >> pid) tree.insert(pid);
  }
  const auto is_stranger = [&](std::int64_t pid) { return !tree.contains(pid); };
  window.gone = static_cast<std::uint64_t>(std::ranges::count_if(*processes.gone, is_stranger));
  processes.before->insert(processes.now->begin(), processes.now->end());
  window.strangers = static_cast<std::uint64_t>(std::ranges::count_if(*processes.before, is_stranger));
}

void read_machine(std::string_view text, MemoryBounds& bounds) {
  const auto kib = [&](const char* key) -> std::optional<std::uint64_t> {
    const auto value = number_of(text, key);
    return value ? std::optional(*value << 10) : std::nullopt;
  };
  bounds.machine_bytes = kib("MemTotal");
  bounds.available_bytes = kib("MemAvailable");
  bounds.swap_bytes = kib("SwapTotal");
  bounds.swap_free_bytes = kib("SwapFree");
  bounds.machine_oom_kills = number_of(text, "oom_kill");
  bounds.machine_oom_kills_before = number_of(text, "oom_kill_before");
  const auto full = text.find("\nfull avg10=");
  if (full != text.npos) bounds.stalled_percent = std::strtod(std::string(text.substr(full + 12, 12)).c_str(), nullptr);
}

// ",oom_memcg=/job_17," -> "/job_17"
std::string value_of(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == line.npos) return {};
  const auto value = line.substr(at + key.size());
  return std::string(value.substr(0, value.find(',')));
}

// "Memory cgroup out of memory: Killed process 4711 (python3) total-vm:221356kB, anon-rss:61056kB, file-rss:...". A
// name may hold anything, so it ends where the sizes begin.
bool read_killed(std::string_view line, OomChoice& choice) {
  constexpr std::string_view key = "Killed process ";
  const auto at = line.find(key);
  if (at == line.npos) return false;
  const auto pid = number(line.substr(at + key.size()));
  const auto open = line.find(" (", at), close = line.rfind(") total-vm:");
  if (!pid || open == line.npos || close == line.npos || close < open) return false;
  choice.pid = static_cast<std::int64_t>(*pid);
  if (line.starts_with("Memory cgroup out of memory")) choice.for_group = true;
  if (line.starts_with("Out of memory")) choice.for_group = false;
  choice.command = line.substr(open + 2, close - open - 2);
  std::uint64_t resident = 0;
  for (const auto* part : {"anon-rss:", "file-rss:", "shmem-rss:"})
    if (const auto from = line.find(part, close); from != line.npos)
      resident += number(line.substr(from + std::strlen(part))).value_or(0) << 10;
  choice.resident_bytes = resident;
  return true;
}

bool in_mask(std::string_view status, std::string_view key, int signal) {
  const auto at = status.find(key);
  if (at == status.npos) return false;
  const auto line = status.substr(at + key.size(), status.find('\n', at + key.size()) - at - key.size());
  const auto digit = line.find_first_not_of(" \t");
  std::uint64_t mask = 0;
  if (digit != line.npos) std::from_chars(line.data() + digit, line.data() + line.size(), mask, 16);
  return mask >> (signal - 1) & 1;
}

}  // namespace

// Each line: "6,10668,23749953883,-;oom-kill:...": level, number, microseconds since the start of the machine.
void add_log(std::string_view text, MemoryBounds& bounds) {
  std::istringstream lines{std::string(text)};
  std::string word, line;
  double now_us = 0;
  int whole = 0, same_pids = 0;
  lines >> word >> now_us >> word >> whole >> word >> same_pids;
  bounds.log_was_readable = whole;
  bounds.log_has_other_pids = !same_pids;
  OomChoice told;  // by the line that names the group
  while (std::getline(lines, line)) {
    const auto message = std::string_view(line).substr(std::min(line.find(';') + 1, line.size()));
    if (message.starts_with("oom-kill:")) {
      told = {.pid = static_cast<std::int64_t>(number(value_of(message, ",pid=")).value_or(0)),
              .limited_by = value_of(message, ",oom_memcg="),
              .group = value_of(message, ",task_memcg=")};
      continue;
    }
    OomChoice choice;
    if (!read_killed(message, choice)) continue;
    const auto second = line.find(','), third = line.find(',', second + 1);
    const auto at_us = third == line.npos ? std::nullopt : number(std::string_view(line).substr(third + 1));
    if (at_us) choice.seconds_before = std::max(0.0, (now_us - static_cast<double>(*at_us)) / 1e6);
    if (told.pid == choice.pid) {
      choice.limited_by = told.limited_by;
      choice.group = told.group;
    }
    bounds.choices.push_back(std::move(choice));
  }
}

std::optional<MemoryBounds> bounds_of(const Target& target) {
  if (!target.files.contains("machine_memory") && !target.files.contains("memory_groups")) return std::nullopt;
  MemoryBounds bounds;
  Processes processes;
  read_groups(file_of(target, "memory_groups"), bounds, processes);
  read_machine(file_of(target, "machine_memory"), bounds);
  add_log(file_of(target, "kernel_log"), bounds);
  if (!bounds.window) return bounds;
  std::istringstream window{std::string(file_of(target, "kill_window"))};
  std::int64_t supervisor = 0, keeper = 0;
  window >> bounds.window->killed >> bounds.window->doubtful >> supervisor >> keeper;
  add_others(target, processes, {target.pid, supervisor, keeper}, *bounds.window);
  return bounds;
}

std::optional<AskedBefore> asked_before(const Target& target) {
  const auto text = file_of(target, "asked_before");
  const auto line_end = text.find('\n');
  siginfo_t info{};
  if (line_end == text.npos || text.size() < line_end + 1 + sizeof info) {
    const auto status = file_of(target, "status");
    for (const int signal : {SIGTERM, SIGXCPU, SIGINT})
      if (in_mask(status, "\nShdPnd:", signal) || in_mask(status, "\nSigPnd:", signal))
        return AskedBefore{.signal = signal, .signal_name = signal_name(signal), .reaction = "blocked"};
    return std::nullopt;
  }
  double microseconds = 0;
  int ignored = 0;
  std::istringstream(std::string(text.substr(0, line_end))) >> microseconds >> ignored;
  std::memcpy(&info, text.data() + line_end + 1, sizeof info);
  return AskedBefore{.signal = info.si_signo,
                     .signal_name = signal_name(info.si_signo),
                     .seconds_before = microseconds / 1e6,
                     .reaction = ignored ? "ignored" : "handled",
                     .sender = sender_of(target, info, std::string(text.substr(line_end + 1 + sizeof info)))};
}

}  // namespace sigwhy::capture
