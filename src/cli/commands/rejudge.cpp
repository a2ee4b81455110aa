// Today's rules on the stored cases. Judging is pure, so the crash is not needed again.
#include <fmt/format.h>

#include "cli/chosen.h"
#include "evidence/hidden_texts.h"
#include "evidence/names.h"
#include "evidence/redact.h"
#include "experiment/settle.h"

namespace sigwhy::cli::commands {

namespace {

std::string verdict_text(const Diagnosis& d) {
  if (d.verdict == Cause::unknown || d.findings.empty()) return "unknown";
  return fmt::format("{} {}", to_name(d.findings[0].strength), to_name(d.verdict));
}

// An exception of which only its type is known loses to every cause.
int firmness(const Diagnosis& d) {
  if (d.verdict == Cause::unknown || d.findings.empty()) return 0;
  return d.verdict == Cause::python_exception ? 1 : 2 + static_cast<int>(d.findings[0].strength);
}

struct Count {
  std::size_t judged = 0;
  std::size_t changed = 0;
  std::size_t hidden = 0;
};

Result<void> judge(const store::Store& cases, Case c, Count& count, Output& output) {
  const auto before = verdict_text(c.diagnosis);
  // What it was judged by is gone: without that only a firmer verdict is a better one.
  const auto kept = is_hidden(c) ? std::optional(c) : std::nullopt;
  c = experiment::settle(std::move(c));
  c.sigwhy_version = SIGWHY_VERSION;
  const auto after = verdict_text(c.diagnosis);
  if (kept && firmness(c.diagnosis) <= firmness(kept->diagnosis)) {
    ++(before == after ? count.judged : count.hidden);
    if (before != after) output.out += fmt::format("{}  cannot be judged again: its values are hidden\n", c.id);
    return {};
  }
  ++count.judged;
  if (before != after) {
    ++count.changed;
    output.out += fmt::format("{}  {} -> {}\n", c.id, before, after);
  }
  return cases.save(redact(std::move(c)));
}

Result<std::vector<Case>> wanted_cases(const store::Store& cases, const Arguments& arguments, std::size_t& broken) {
  std::vector<Case> wanted;
  if (arguments.operands.empty()) {
    const auto unread = cases.each([&](const Case& c) { wanted.push_back(c); });
    if (!unread) return std::unexpected(unread.error());
    broken = *unread;
  }
  for (const auto& id : arguments.operands) {
    auto c = cases.load(id);
    if (!c) return std::unexpected(c.error());
    wanted.push_back(std::move(*c));
  }
  return wanted;
}

Result<int> run_rejudge(const Arguments& arguments, Output& output) {
  const auto cases = open_store();
  std::size_t broken = 0;
  auto wanted = wanted_cases(cases, arguments, broken);
  if (!wanted) return std::unexpected(wanted.error());
  Count count;
  for (auto& c : *wanted)
    if (auto judged = judge(cases, std::move(c), count, output); !judged) return std::unexpected(judged.error());
  output.out += fmt::format("{} judged again, {} changed", count.judged, count.changed);
  if (count.hidden) output.out += fmt::format(", {} left as they were", count.hidden);
  output.out += broken ? fmt::format(", {} could not be read\n", broken) : "\n";
  return 0;
}

constexpr Example examples[] = {{"sigwhy rejudge", "all kept cases, after an update of sigwhy"}};

}  // namespace

extern const Command rejudge;
const Command rejudge = {.place = 4,
                         .summary = "Judge kept cases again with the rules of today",
                         .operands = "[CASE...]",
                         .description = "Prints each case whose verdict or strength changed and keeps the new judgement. What was seen "
                                        "stays as it is.",
                         .takes = Operands::any,
                         .examples = examples,
                         .run = run_rejudge};

}  // namespace sigwhy::cli::commands
