#include "experiment/import_trials.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>

#include "evidence/names.h"
#include "experiment/python_code.h"
#include "experiment/same_death.h"

namespace sigwhy::experiment {

namespace {

using Modules = std::vector<std::string>;

bool failed(const Trial& trial) { return !survived(trial) && !trial.interrupted && !trial.layer_full; }

// The last line of a traceback says it best.
std::string last_line(const std::string& text) {
  const auto end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return {};
  const auto start = text.rfind('\n', end);
  return text.substr(start == text.npos ? 0 : start + 1, end - (start == text.npos ? -1 : start)).substr(0, 300);
}

Concern concern_of(const Trial& trial, std::string claim, Severity severity) {
  const auto& diagnosis = trial.result.diagnosis;
  Concern concern{.check = "import", .cause = diagnosis.verdict, .severity = severity, .claim = std::move(claim)};
  concern.because.push_back(how_it_ended(trial));
  if (!diagnosis.findings.empty()) {
    const auto& finding = diagnosis.findings.front();
    concern.because.push_back(fmt::format("{} ({}): {}", to_name(finding.cause), to_name(finding.strength), finding.claim));
    concern.fix = finding.fix;
  }
  if (auto said = last_line(trial.output_tail); !said.empty()) concern.because.push_back("its last words: " + said);
  return concern;
}

Modules part(const Modules& modules, std::size_t first, std::size_t last) {
  return {modules.begin() + static_cast<std::ptrdiff_t>(first), modules.begin() + static_cast<std::ptrdiff_t>(last) + 1};
}

struct Stretch {
  std::size_t first, last;
  Trial trial;
};

// `whole` is the run of all of them, which failed.
Result<Stretch> smallest_failing(const Modules& modules, Trial whole, const ImportRun& run) {
  Stretch stretch{0, modules.size() - 1, std::move(whole)};
  const auto fails = [&](std::size_t first, std::size_t last) -> Result<bool> {
    auto trial = run(part(modules, first, last));
    if (!trial) return std::unexpected(trial.error());
    if (!failed(*trial)) return false;
    stretch = {first, last, std::move(*trial)};
    return true;
  };
  for (std::size_t low = 0; low < stretch.last;) {
    const auto middle = low + (stretch.last - low) / 2;
    const auto broke = fails(0, middle);
    if (!broke) return std::unexpected(broke.error());
    if (!*broke) low = middle + 1;
  }
  for (std::size_t high = stretch.last; stretch.first < high;) {
    const auto middle = stretch.first + (high - stretch.first + 1) / 2;
    const auto broke = fails(middle, stretch.last);
    if (!broke) return std::unexpected(broke.error());
    if (!*broke) high = middle - 1;
  }
  return stretch;
}

// What breaks a stretch of more than two may still be its two ends alone.
Result<Concern> name_the_pair(const Modules& modules, Stretch stretch, const ImportRun& run) {
  const auto &first = modules[stretch.first], &last = modules[stretch.last];
  bool pair = stretch.last - stretch.first == 1;
  if (!pair) {
    auto trial = run({first, last});
    if (!trial) return std::unexpected(trial.error());
    pair = failed(*trial);
    if (pair) stretch.trial = std::move(*trial);
  }
  if (!pair)
    return concern_of(stretch.trial, fmt::format("{} fails once {} are imported before it", last, fmt::join(part(modules, stretch.first, stretch.last - 1), ", ")),
                      Severity::ends);
  auto concern = concern_of(stretch.trial, fmt::format("{} and {} break each other: {} fails once {} is imported", first, last, last, first), Severity::ends);
  const auto turned = run({last, first});
  if (!turned) return std::unexpected(turned.error());
  if (failed(*turned)) concern.because.push_back(fmt::format("in the other order it fails, too: {}", how_it_ended(*turned)));
  else concern.fix.insert(concern.fix.begin(), fmt::format("import {} before {}: in that order both load", last, first));
  return concern;
}

}  // namespace

std::string import_code(const Modules& modules, const std::string& folder) {
  std::string code = "import sys\n";
  if (!folder.empty()) code += fmt::format("sys.path[0] = {}\n", quoted(folder));
  for (const auto& module : modules) code += fmt::format("import {}\n", module);
  return code;
}

Result<std::vector<Concern>> try_imports(const std::vector<TriedImport>& imports, const ImportRun& run) {
  std::vector<Concern> concerns;
  Modules sound;
  for (const auto& import : imports) {
    const auto trial = run({import.module});
    if (!trial) return std::unexpected(trial.error());
    if (trial->interrupted) return failure("interrupted", "before all imports were tried");
    if (!failed(*trial)) {
      sound.push_back(import.module);
      continue;
    }
    const bool by_exception = trial->wait_status && WIFEXITED(*trial->wait_status);
    concerns.push_back(concern_of(*trial, fmt::format("import {} fails by itself", import.module),
                                  import.may_fail && by_exception ? Severity::worth_knowing : Severity::ends));
  }
  if (sound.size() < 2) return concerns;
  auto together = run(sound);
  if (!together) return std::unexpected(together.error());
  if (!failed(*together)) return concerns;
  auto stretch = smallest_failing(sound, std::move(*together), run);
  if (!stretch) return std::unexpected(stretch.error());
  auto pair = name_the_pair(sound, std::move(*stretch), run);
  if (!pair) return std::unexpected(pair.error());
  concerns.push_back(std::move(*pair));
  return concerns;
}

}  // namespace sigwhy::experiment
