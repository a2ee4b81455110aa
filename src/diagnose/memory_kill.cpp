#include "diagnose/memory_kill.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

// An older line about the same number is about an earlier process.
constexpr double log_is_about_it_s = 120;
// The tail of a limit that was met may already be free again when it is read.
constexpr double near_limit = 0.9;
// Of a limit, when it was last read: the last moment before the end is not in the record.
constexpr double half_full = 0.5, fairly_full = 0.8, nearly_full = 0.97;

std::optional<std::uint64_t> rise(const std::optional<std::uint64_t>& before, const std::optional<std::uint64_t>& now) {
  if (!before || !now) return std::nullopt;
  return *now - std::min(*now, *before);
}

std::optional<std::uint64_t> kills_in_own_group(const MemoryBounds& b) {
  return b.groups.empty() ? std::nullopt : rise(b.groups[0].oom_kills_before, b.groups[0].oom_kills);
}

std::optional<std::uint64_t> kills_on_machine(const MemoryBounds& b) {
  return rise(b.machine_oom_kills_before, b.machine_oom_kills);
}

std::optional<std::size_t> line_about(const MemoryBounds& b, std::int64_t pid) {
  if (b.log_has_other_pids) return std::nullopt;
  for (std::size_t i = b.choices.size(); i-- > 0;)
    if (b.choices[i].pid == pid && b.choices[i].seconds_before < log_is_about_it_s) return i;
  return std::nullopt;
}

bool inside(const std::string& path, const std::string& group) {
  return group == "/" || path == group || path.starts_with(group + "/");
}

// The line that names the group is left out where there are many kills in a row.
bool may_be_counted(const MemoryBounds& b, const OomChoice& choice) {
  if (b.groups.empty()) return true;
  if (choice.group.empty()) return b.window && choice.seconds_before <= b.window->seconds;
  return inside(choice.group, b.groups[0].path);
}

// A container may see only the end of what the log calls the path.
std::optional<std::size_t> group_named(const MemoryBounds& b, const std::string& path) {
  for (std::size_t i = 0; i < b.groups.size(); ++i)
    if (b.groups[i].path == path || (b.groups[i].path != "/" && path.ends_with(b.groups[i].path))) return i;
  return std::nullopt;
}

bool was_near_its_limit(const MemoryGroup& g) {
  const auto most = std::max(g.peak_bytes.value_or(0), g.used_bytes.value_or(0));
  return g.limit_bytes && static_cast<double>(most) >= near_limit * static_cast<double>(*g.limit_bytes);
}

bool met_its_limit(const MemoryGroup& g) {
  if (!g.limit_bytes || !rise(g.limit_hits_before, g.limit_hits).value_or(0)) return false;
  return g.version == 2 || was_near_its_limit(g);
}

std::optional<std::size_t> tightest(const MemoryBounds& b, bool (*fits)(const MemoryGroup&)) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < b.groups.size(); ++i)
    if (fits(b.groups[i]) && (!found || b.groups[i].limit_bytes < b.groups[*found].limit_bytes)) found = i;
  return found;
}

// Where several levels have met theirs, the tightest is the one that the kernel could not give way at.
void find_limit(const MemoryBounds& b, MemoryKill& kill) {
  const OomChoice said = kill.log ? b.choices[*kill.log] : OomChoice();
  if (!said.group.empty()) {
    kill.machine = said.limited_by.empty();
    if (!kill.machine) kill.group = group_named(b, said.limited_by);
    return;
  }
  if (said.for_group != false) kill.group = tightest(b, met_its_limit);
  // In a full group our own first reading may have had to wait until the kill was counted.
  if (said.for_group == true && !kill.group) kill.group = tightest(b, was_near_its_limit);
  // No limit that is to be seen was met; a container does not see those around it.
  const bool is_short = b.machine_bytes && b.available_bytes && *b.available_bytes < *b.machine_bytes / 10;
  kill.machine = !kill.group && !said.for_group.value_or(!is_short);
}

void add_log_fact(const MemoryBounds& b, MemoryKill& kill, bool itself) {
  const auto& c = b.choices[*kill.log];
  const auto who = itself ? fmt::format("this process ({})", c.pid)
                          : fmt::format("{} (process {})", one_line(c.command, 40), c.pid);
  const auto where = c.limited_by.empty() ? std::string() : fmt::format(", for the limit of {}", one_line(c.limited_by, 60));
  const auto size = c.resident_bytes ? fmt::format("; it held {}", bytes_text(*c.resident_bytes)) : std::string();
  kill.facts.push_back(fact("log", fmt::format("the kernel's log: it killed {}{}{}", who, where, size),
                            {ref(fmt::format("/memory_bounds/choices/{}", *kill.log))}));
}

void add_counter_fact(const MemoryBounds& b, MemoryKill& kill) {
  if (b.groups.empty() || !b.groups[0].oom_kills_before || !b.groups[0].oom_kills) return;
  const auto& g = b.groups[0];
  const bool rose = *g.oom_kills > *g.oom_kills_before;
  kill.facts.push_back(fact("counter",
                            fmt::format("kills for memory in {}: {}", one_line(g.path, 60),
                                        rose ? fmt::format("{} -> {}", *g.oom_kills_before, *g.oom_kills)
                                             : fmt::format("{}, before as after", *g.oom_kills)),
                            {ref("/memory_bounds/groups/0")}));
}

// Every other process that may have been the one: as many kills as candidates leave nobody out.
Choice by_counting(const MemoryBounds& b, std::uint64_t kills, MemoryKill& kill) {
  if (!b.window) return Choice::possible;
  const KillWindow& w = *b.window;
  const auto others = w.killed + w.doubtful + w.gone.value_or(0);
  if (kills <= others) return Choice::possible;
  if (!w.gone || w.strangers.value_or(1) > 0) return Choice::likely;
  kill.facts.push_back(fact("alone", "no other process of the group has died", {ref("/memory_bounds/window")}));
  return Choice::certain;
}

Choice judge(const Facts& f, const MemoryBounds& b, MemoryKill& kill) {
  const auto& t = f.snapshot.termination;
  const bool sent = t.code && *t.code <= 0;
  const auto in_group = kills_in_own_group(b), on_machine = kills_on_machine(b);
  kill.log = line_about(b, f.snapshot.process.pid);
  add_counter_fact(b, kill);
  if (kill.log && !sent) {
    add_log_fact(b, kill, true);
    return Choice::certain;
  }
  const bool counted = in_group ? *in_group > 0 : on_machine.value_or(0) > 0;
  if (!counted) return sent || in_group || on_machine ? Choice::excluded : Choice::unknown;
  const bool log_is_silent = b.log_was_readable && !b.log_has_other_pids;
  if (sent || log_is_silent) {
    for (std::size_t i = b.choices.size(); i-- > 0 && !kill.log;)
      if (may_be_counted(b, b.choices[i])) kill.log = i;
    if (kill.log) add_log_fact(b, kill, false);
    return Choice::another;
  }
  if (t.code == si_kernel) {
    kill.facts.push_back(fact("sender", "the signal came from the kernel itself, from no process", {ref("/termination/code")}));
    return Choice::certain;
  }
  return in_group ? by_counting(b, *in_group, kill) : Choice::possible;
}

// The group that was nearest to its limit when it was last read, if it was so near.
std::optional<std::size_t> fullest(const MemoryBounds& b, double share) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < b.groups.size(); ++i) {
    const auto& g = b.groups[i];
    if (!g.limit_bytes || !g.used_bytes || *g.limit_bytes == 0) continue;
    const double used = static_cast<double>(*g.used_bytes) / static_cast<double>(*g.limit_bytes);
    if (used >= share) best = i, share = used;
  }
  return best;
}

// Each line was written about the moment of the end, so a process of the same number and name is this one.
std::optional<std::size_t> line_about_lost(const Facts& f, const MemoryBounds& b) {
  const auto line = line_about(b, f.snapshot.process.pid);
  if (!line) return std::nullopt;
  const auto& choice = b.choices[*line];
  const bool other_group = !choice.group.empty() && !b.groups.empty() && b.groups[0].path != "/" &&
                           !choice.group.ends_with(b.groups[0].path);
  return other_group || choice.command != f.snapshot.process.command ? std::nullopt : line;
}

void add_parent_fact(const MemoryBounds& b, std::size_t i, MemoryKill& kill) {
  const auto& g = b.groups[i];
  kill.facts.push_back(fact("counter",
                            fmt::format("its own group is gone; kills for memory in and below {}: {} -> {}",
                                        one_line(g.path, 60), *g.oom_kills_before, *g.oom_kills),
                            {ref(fmt::format("/memory_bounds/groups/{}", i))}));
}

// A kill may have been counted long after the end, for somebody else: how full it was then has to fit.
Choice by_counters_since(const MemoryBounds& b, MemoryKill& kill) {
  const auto half = fullest(b, half_full);
  const bool met = half && b.groups[*half].peak_bytes >= b.groups[*half].limit_bytes;
  const bool was_near = met || fullest(b, fairly_full) || (b.machine_bytes && b.available_bytes && *b.available_bytes < *b.machine_bytes / 10);
  if (kills_on_machine(b) == 0u) return Choice::excluded;
  if (const auto in_group = kills_in_own_group(b)) {
    if (!*in_group) return Choice::excluded;
    return was_near ? Choice::likely : Choice::suspected;
  }
  // Version 2 counts in every group what happens below it.
  for (std::size_t i = 1; i < b.groups.size(); ++i) {
    const auto& g = b.groups[i];
    if (g.version != 2 || !rise(g.oom_kills_before, g.oom_kills).value_or(0)) continue;
    add_parent_fact(b, i, kill);
    return was_near && i == 1 ? Choice::likely : Choice::suspected;
  }
  return fullest(b, nearly_full) ? Choice::suspected : Choice::unknown;
}

Choice judge_lost(const Facts& f, const MemoryBounds& b, MemoryKill& kill) {
  add_counter_fact(b, kill);
  kill.log = line_about_lost(f, b);
  if (kill.log) {
    add_log_fact(b, kill, true);
    return Choice::certain;
  }
  const auto choice = by_counters_since(b, kill);
  const bool log_is_silent = b.log_was_readable && !b.log_has_other_pids;
  if (choice == Choice::excluded || choice == Choice::unknown || !log_is_silent) return choice;
  for (std::size_t i = b.choices.size(); i-- > 0 && !kill.log;)
    if (may_be_counted(b, b.choices[i])) kill.log = i;
  if (kill.log) add_log_fact(b, kill, false);
  return Choice::another;
}

void add_limit_fact(const MemoryBounds& b, MemoryKill& kill) {
  if (!kill.group) return;
  const auto& g = b.groups[*kill.group];
  auto words = g.limit_bytes ? fmt::format("{} may use {}", one_line(g.path, 60), bytes_text(*g.limit_bytes))
                             : one_line(g.path, 60);
  if (g.used_bytes)
    words += fmt::format("; {} it used {}", kill.lost ? "when it was last read" : "at the end", bytes_text(*g.used_bytes));
  if (g.peak_bytes) words += fmt::format(", at most {}", bytes_text(*g.peak_bytes));
  kill.facts.push_back(fact("limit", words, {ref(fmt::format("/memory_bounds/groups/{}", *kill.group))}));
}

}  // namespace

std::optional<MemoryKill> memory_kill(const Facts& f) {
  if (f.signal != SIGKILL || f.snapshot.termination.kind != TerminationKind::signalled) return std::nullopt;
  MemoryKill kill;
  if (!f.snapshot.memory_bounds) {
    const auto& code = f.snapshot.termination.code;
    kill.choice = code && *code <= 0 ? Choice::excluded : Choice::unknown;
    return kill;
  }
  const MemoryBounds& b = *f.snapshot.memory_bounds;
  kill.choice = judge(f, b, kill);
  if (kill.choice == Choice::excluded || kill.choice == Choice::another || kill.choice == Choice::unknown) return kill;
  find_limit(b, kill);
  add_limit_fact(b, kill);
  return kill;
}

bool killed_for_memory(const Facts& f) {
  const auto kill = memory_kill(f);
  return kill && (kill->choice == Choice::certain || kill->choice == Choice::likely);
}

std::optional<MemoryKill> lost_kill(const Facts& f) {
  if (f.snapshot.termination.kind != TerminationKind::lost || !f.snapshot.memory_bounds) return std::nullopt;
  const MemoryBounds& b = *f.snapshot.memory_bounds;
  MemoryKill kill{.lost = true};
  kill.choice = judge_lost(f, b, kill);
  if (kill.choice == Choice::excluded || kill.choice == Choice::another || kill.choice == Choice::unknown) return kill;
  find_limit(b, kill);
  if (!kill.group && !kill.machine) kill.group = fullest(b, near_limit);
  add_limit_fact(b, kill);
  return kill;
}

std::string limit_text(const Facts& f, const MemoryKill& kill) {
  const MemoryBounds& b = *f.snapshot.memory_bounds;
  if (kill.group) {
    const auto& g = b.groups[*kill.group];
    const auto size = g.limit_bytes ? bytes_text(*g.limit_bytes) : std::string("limit");
    if (g.path == "/") return fmt::format("this container's {}", size);
    return *kill.group == 0 ? fmt::format("the {} of control group {}", size, one_line(g.path, 60))
                            : fmt::format("the {} of the parent group {}", size, one_line(g.path, 60));
  }
  if (kill.machine)
    return b.machine_bytes ? fmt::format("the machine's {}", bytes_text(*b.machine_bytes)) : "all the machine has";
  if (kill.log && !b.choices[*kill.log].limited_by.empty())
    return fmt::format("the limit of control group {}", one_line(b.choices[*kill.log].limited_by, 60));
  if (kill.log && b.choices[*kill.log].for_group == true) return "the limit of a control group that is not to be seen from here";
  return "a limit that is not to be seen from here, or the machine's own";
}

}  // namespace sigwhy::diagnose
