// How it ended, which process that was, where it ran.
#include <fmt/format.h>

#include "evidence/names.h"
#include "report/details.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

std::string sender_text(const Sender& sender) {
  auto text = fmt::format("pid {}, user {}", sender.pid, sender.uid);
  if (sender.command) text += ", " + *sender.command;
  return fmt::format("{} ({})", text, to_name(sender.relation));
}

Section end_section(const Termination& t, const char* title) {
  Section section{title, {{{"how", std::string(to_name(t.kind))}}}};
  auto& rows = section.rows;
  if (t.exit_code) rows.push_back({{"exit code", std::to_string(*t.exit_code)}});
  if (t.signal) rows.push_back({{"signal", fmt::format("{} {}", *t.signal, t.signal_name.value_or(""))}});
  if (t.code) rows.push_back({{"si_code", fmt::format("{} {}", *t.code, t.code_name.value_or(""))}});
  if (t.address) rows.push_back({{"si_addr", hex_text(*t.address)}});
  if (t.sender) rows.push_back({{"sender", sender_text(*t.sender)}});
  if (t.core_dumped) rows.push_back({{"core", "dumped"}});
  if (t.handled_first)
    rows.push_back({{"handler", "the program's own handler ran first" +
                                    (t.handled_signal ? fmt::format(", for signal {}", *t.handled_signal) : "")}});
  if (t.after_seconds > 0) rows.push_back({{"after", fmt::format("{:.3f} s", t.after_seconds)}});
  return section;
}

std::string limit_value(const std::optional<std::uint64_t>& value, const std::string& unit) {
  if (!value) return "unlimited";
  return unit == "bytes" ? size_text(*value) : count_text(*value) + (unit.empty() ? "" : " " + unit);
}

Section process_section(const Process& p) {
  Section section{"Process", {}};
  auto& rows = section.rows;
  rows.push_back({{"pid", fmt::format("{}, parent {}, user {}", p.pid, p.parent, p.uid)}});
  rows.push_back({{"command", p.argv.empty() ? p.command : command_text(p.argv)}});
  if (!p.executable.empty()) rows.push_back({{"program", p.executable}});
  if (!p.directory.empty()) rows.push_back({{"directory", p.directory}});
  if (p.started_unix_s > 0) rows.push_back({{"started", second_text(p.started_unix_s * 1000)}});
  if (p.resident_bytes) rows.push_back({{"memory", size_text(*p.resident_bytes) + " resident"}});
  for (const auto& [name, value] : p.switches) rows.push_back({{"environment", name + "=" + value}});
  for (const auto& limit : p.limits)
    if (limit.soft || limit.hard)
      rows.push_back({{"limit", fmt::format("{}: {} (at most {})", limit.name, limit_value(limit.soft, limit.unit),
                                            limit_value(limit.hard, limit.unit))}});
  const auto signals = [&](const char* label, const std::vector<std::string>& names) {
    if (!names.empty()) rows.push_back({{label, fmt::format("{}", fmt::join(names, " "))}});
  };
  signals("caught", p.signals_caught);
  signals("ignored", p.signals_ignored);
  signals("blocked", p.signals_blocked);
  return section;
}

Section tree_section(const std::vector<ProcessNode>& tree) {
  Section section{"Other processes", {}};
  for (const auto& node : tree) {
    std::string ended = "alive";
    if (node.ended && node.ended->signal_name) ended = *node.ended->signal_name;
    else if (node.ended && node.ended->exit_code) ended = fmt::format("exited with {}", *node.ended->exit_code);
    else if (node.ended) ended = "ended";
    section.rows.push_back({{std::to_string(node.pid), node.command, ended, fmt::format("child of {}", node.parent)}});
  }
  return section;
}

Section host_section(const Host& h) {
  Section section{"Machine", {}};
  if (!h.kernel.empty()) section.rows.push_back({{"kernel", h.kernel}});
  if (!h.cpu.empty()) section.rows.push_back({{"processor", h.cpu}});
  if (!h.cpu_features.empty())
    section.rows.push_back({{"features", fmt::format("{}", fmt::join(h.cpu_features, " "))}});
  if (h.memory_bytes) section.rows.push_back({{"memory", size_text(h.memory_bytes)}});
  return section;
}

}  // namespace

std::vector<Section> process_details(const Snapshot& s) {
  const bool lives = s.termination.kind == TerminationKind::running;
  std::vector<Section> sections = {end_section(s.termination, lives ? "State" : "End")};
  if (s.root) {
    sections.push_back(end_section(s.root->termination, "End of the program that was started"));
    sections.back().rows.push_back({{"command", command_text(s.root->argv)}});
    sections.back().rows.push_back({{"pid", std::to_string(s.root->pid)}});
  }
  sections.push_back(process_section(s.process));
  sections.push_back(tree_section(s.process.tree));
  sections.push_back(host_section(s.host));
  return sections;
}

}  // namespace sigwhy::report
