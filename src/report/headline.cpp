// What ended it, in one line: "./solver died of SIGSEGV (exit 139) after 0.4 s".
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "report/view.h"
#include "report/words.h"

namespace sigwhy::report {

namespace {

// Signals that others usually send; of all the rest one says that a program died of them.
constexpr std::array sent = {"SIGKILL", "SIGTERM", "SIGINT", "SIGQUIT", "SIGHUP", "SIGUSR1", "SIGUSR2"};

std::string signal_text(const Termination& t) {
  if (t.signal_name) return *t.signal_name;
  return t.signal ? fmt::format("signal {}", *t.signal) : "a signal";
}

std::string ended_text(const Termination& t, bool with_status) {
  switch (t.kind) {
    case TerminationKind::exited: return t.exit_code ? fmt::format("exited with {}", *t.exit_code) : "exited";
    case TerminationKind::signalled:
    case TerminationKind::killed_for_memory: {
      const auto name = signal_text(t);
      const bool killed = std::ranges::find(sent, name) != sent.end() || t.kind == TerminationKind::killed_for_memory;
      auto text = (killed ? "was killed by " : "died of ") + name;
      if (with_status && t.signal) text += fmt::format(" (exit\u00a0{})", 128 + *t.signal);
      return text;
    }
    case TerminationKind::hung:
      if (!t.hang) return "hung";
      return fmt::format("hung (no progress for {:.0f}\u00a0s){}", t.hang->still_seconds, t.hang->ended_by_sigwhy ? " and was ended" : "");
    case TerminationKind::running: return "is running";
    case TerminationKind::lost:
      return t.outlived_sigwhy ? "ended unseen, after sigwhy was killed" : "ended together with sigwhy";
    case TerminationKind::unknown: break;
  }
  return "ended, and it could not be seen how";
}

std::string shorten_end(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  auto end = most - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // never inside a character
  return text.substr(0, end) + "...";
}

// "ValueError: Invalid dtype: object". sys.exit() says nothing that the exit code does not.
std::string exception_text(const Snapshot& s) {
  constexpr std::size_t longest = 60;
  if (s.termination.kind != TerminationKind::exited || s.termination.exit_code == 0) return {};
  for (const auto& e : s.python_exceptions) {
    if (e.type == "SystemExit") continue;
    auto text = e.type.substr(e.type.rfind('.') + 1);
    const auto first_line = e.message.substr(0, e.message.find('\n'));
    // "((3000, 3000), dtype('float64'))" is what it was made with; its class words it only when Python prints it
    const bool bare = e.message.starts_with('(') && e.message.ends_with(')');
    if (!first_line.empty() && !bare) text += ": " + first_line;
    return " (" + shorten_end(text, longest) + ")";
  }
  return {};
}

std::string after_text(const Termination& t) {
  return t.after_seconds > 0 ? " after\u00a0" + duration_text(t.after_seconds) : "";
}

// "/usr/bin/python3 /home/ada/nets/train.py" as "python3 …/train.py".
std::string without_folders(const std::vector<std::string>& argv) {
  std::string text;
  for (const auto& word : argv) {
    const bool first = text.empty(), path = word.starts_with('/') && !base_name(word).empty();
    if (!first) text += path ? " …/" : " ";
    text += command_text({first || path ? std::string(base_name(word)) : word});
  }
  return text;
}

Headline started(const std::vector<std::string>& argv, const std::string& otherwise, std::string rest) {
  if (argv.empty()) return {otherwise, otherwise, std::move(rest)};
  return {command_text(argv), without_folders(argv), std::move(rest)};
}

std::string name_without_argv(const Process& p) {
  if (!p.command.empty()) return p.command;
  return p.executable.empty() ? "the program" : std::string(base_name(p.executable));
}

// A process that runs the same program as the one the user started is one of its workers.
std::string role_in(const Root& root, const Process& p) {
  const bool same = !root.argv.empty() && !p.argv.empty() && base_name(root.argv[0]) == base_name(p.argv[0]);
  return same ? "worker" : "process";
}

std::string own_name(const Process& p) {
  return std::string(base_name(p.argv.empty() || p.argv[0].empty() ? std::string_view(p.command) : p.argv[0]));
}

}  // namespace

Headline make_headline(const Snapshot& s) {
  const auto& t = s.termination;
  const auto said = exception_text(s);
  if (!s.root)
    return started(s.process.argv, name_without_argv(s.process),
                   " " + ended_text(t, true) + (said.empty() ? after_text(t) : said));
  return started(s.root->argv, "the program",
                 fmt::format(" {}; its {} {} (pid\u00a0{}) {}{}", ended_text(s.root->termination, false),
                             role_in(*s.root, s.process), own_name(s.process), s.process.pid,
                             t.kind == TerminationKind::hung ? "is stuck" : ended_text(t, false), after_text(t)));
}

}  // namespace sigwhy::report
