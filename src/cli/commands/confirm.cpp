// Re-runs with one thing changed until the cause is proven or refuted. The program runs in a throw-away layer; what
// came out is kept as the case, under its own id.
#include <fmt/format.h>

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/chosen.h"
#include "cli/confirm_options.h"
#include "cli/consent.h"
#include "cli/error_line.h"
#include "cli/installed.h"
#include "cli/progress.h"
#include "cli/search_wish.h"
#include "cli/stress_run.h"
#include "evidence/redact.h"
#include "experiment/interrupt.h"
#include "experiment/session.h"
#include "experiment/settle.h"

namespace sigwhy::cli::commands {

namespace {

using namespace experiment;

constexpr int own_error = 125;

Result<Recipe> recipe_of(const store::Store& cases, const Case& c) {
  const auto text = cases.load_recipe(c.id);
  if (!text)
    return failure("cannot run " + c.id + " again", "it has no recipe: a core file or a look at a living process tells no "
                   "command, environment and folder", "sigwhy confirm -- COMMAND");
  return recipe_from_json(*text);
}

// Files among the arguments that are younger than the case.
std::vector<std::string> changed_since(const Recipe& recipe, std::int64_t made_unix_ms) {
  std::vector<std::string> notes;
  for (const auto& word : recipe.argv) {
    struct stat status {};
    const auto path = word.starts_with('/') ? word : recipe.directory + "/" + word;
    if (::stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (status.st_mtim.tv_sec * 1000 > made_unix_ms) notes.push_back(word + " has changed since the case was made");
  }
  return notes;
}

struct Job {
  Case before;
  Recipe recipe;
  Wishes wishes;
  Bounds bounds;
};

// How long a run may take: the guarded heap can be ten times as slow.
double seconds_for(const Case& c) { return std::max(60.0, 30 * c.snapshot.termination.after_seconds + 30); }

// Of a command there is no case yet: its first run makes one. That run is not counted: it decided what to look for.
Result<void> make_case(Job& job, const store::Store& cases) {
  auto first = run_trial(job.recipe, {}, job.bounds);
  if (!first) return std::unexpected(first.error());
  if (first->interrupted) return failure("interrupted", "before the first run was over");
  job.before = std::move(first->result);
  job.before.id = cases.new_id();
  if (first->timed_out) job.before.snapshot.termination.kind = TerminationKind::hung;
  return {};
}

Result<Job> job_of(const Arguments& arguments, const store::Store& cases, Output& output) {
  Job job;
  const auto front = front_program();
  if (!front) return std::unexpected(front.error());
  job.bounds.sigwhy = *front;
  if (auto taken = take_wishes(arguments, job.wishes, job.bounds); !taken) return std::unexpected(taken.error());
  if (arguments.behind_dashes) {
    if (auto there = can_be_run(arguments.operands.at(0)); !there) return std::unexpected(there.error());
    job.recipe = recipe_of_command(arguments.operands);
    if (auto agreed = agree_on_layer(job.bounds, arguments.has("yes"), job.recipe.argv); !agreed)
      return std::unexpected(agreed.error());
    if (auto made = make_case(job, cases); !made) return std::unexpected(made.error());
  } else {
    auto c = chosen_case(arguments);
    if (!c) return std::unexpected(c.error());
    auto recipe = recipe_of(cases, *c);
    if (!recipe) return std::unexpected(recipe.error());
    job.before = std::move(*c);
    job.recipe = std::move(*recipe);
    if (auto agreed = agree_on_layer(job.bounds, arguments.has("yes"), job.recipe.argv); !agreed)
      return std::unexpected(agreed.error());
    for (const auto& note : changed_since(job.recipe, job.before.made_unix_ms)) output.err += "sigwhy: " + note + "\n";
  }
  if (!arguments.has("timeout")) job.bounds.seconds = seconds_for(job.before);
  return job;
}

std::string list_text(const SessionPlan& plan) {
  std::string text;
  for (const auto& step : plan.steps) text += fmt::format("{:<18} {}\n", step.name, step.planned.why);
  for (const auto& refused : plan.refused) text += fmt::format("{:<18} not tried: {}\n", refused.name, refused.why);
  return text;
}

bool is_proven(const Case& c, Cause cause) {
  return std::ranges::any_of(c.diagnosis.findings, [&](const Finding& f) { return f.cause == cause && f.strength == Strength::proven; });
}

bool lost_a_proof(const Case& before, const Case& after) {
  return std::ranges::any_of(before.diagnosis.findings, [&](const Finding& f) { return f.strength == Strength::proven && !is_proven(after, f.cause); });
}

// What was proven once stays so: a session that sees less (ptrace refused, another machine) does not take it back.
void keep(const Job& job, bool is_new, const store::Store& cases, Case& result, Output& output) {
  if (lost_a_proof(job.before, result)) {
    output.err += "sigwhy: these runs showed less than what is already known of the case; it stays as it was\n";
    result = job.before;
    return;
  }
  const auto saved = cases.save(result);
  if (!saved) output.err += error_line(saved.error()) + "\n";
  if (!saved && is_new) result.id.clear();  // it was never kept: nothing is promised
  if (saved && is_new) std::ignore = cases.save_recipe(result.id, to_json(job.recipe));
}

Result<int> confirm_case(const Arguments& arguments, Output& output) {
  const InterruptNoted noted;
  const auto cases = open_store();
  const auto job = job_of(arguments, cases, output);
  if (!job) return std::unexpected(job.error());
  const Subject subject{job->before, job->recipe, job->wishes};
  const auto plan = plan_session(subject);
  if (!plan) return std::unexpected(plan.error());
  if (arguments.has("list")) {
    output.out = list_text(*plan);
    return 0;
  }
  ProgressLine line(arguments.has("verbose"));
  const Tools tools{.run = [&](const Change& change) { return run_trial(job->recipe, change, job->bounds); },
                    .seconds = [&] { return line.seconds(); },
                    .tell = [&](const Progress& progress) { line.show(progress); }};
  auto end = run_session(subject, *plan, tools);
  line.clear();
  if (!end) return std::unexpected(end.error());
  end->result = redact(std::move(end->result));
  keep(*job, arguments.behind_dashes, cases, end->result, output);
  auto text = shown(end->result, arguments);
  if (!text) return std::unexpected(text.error());
  output.out = std::move(*text);
  return end->settled ? 0 : 1;
}

Result<int> run_confirm(const Arguments& arguments, Output& output) {
  const auto status = wants_stress(arguments) ? run_stress(arguments, output) : confirm_case(arguments, output);
  if (status) return *status;
  output.err += error_line(status.error()) + "\n";
  return own_error;
}

constexpr Example examples[] = {
    {"sigwhy confirm", "settle the newest case"},
    {"sigwhy confirm 4f1c --runs 10 --time 300", "at most ten runs of each kind, five minutes in all"},
    {"sigwhy confirm -- python train.py --batch 64", "from the command alone, also of one that does not die"},
    {"sigwhy confirm 4f1c --list", "what would be tried, and why"},
};

}  // namespace

extern const Command confirm;
const Command confirm = {
    .place = 5,
    .summary = "Run a case again with one thing changed until its cause is proven",
    .operands = "[CASE | -- COMMAND]",
    .description =
        "Runs the program of a case again, as it was and with one thing changed: on the guarded heap, in one thread, with "
        "more memory, and so on. Both kinds of runs go on until a sequential test tells them apart; a whole session calls "
        "two equal kinds different at most once in fifty times. Only a run that shows the mechanism itself makes a finding "
        "proven; counting deaths makes it strong.\n"
        "\n"
        "The runs happen in a throw-away layer: files that they write are gone afterwards, their output is not shown, and "
        "they have no network unless --network is given. Ctrl-C ends the session and says what is known by then.\n"
        "\n"
        "The outcome is kept with the case. The exit status is 0 if something was settled, 1 if nothing could be, 125 if "
        "sigwhy failed.",
    .takes = Operands::one_or_command,
    .options = confirm_options(),
    .examples = examples,
    .run = run_confirm};

}  // namespace sigwhy::cli::commands
