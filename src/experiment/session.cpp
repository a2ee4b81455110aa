#include "experiment/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "diagnose/diagnose.h"
#include "experiment/catch.h"
#include "experiment/comparison.h"
#include "experiment/same_death.h"
#include "experiment/sequential.h"
#include "experiment/settle.h"
#include "experiment/subject.h"
#include "experiment/words.h"
#include "guard/wire.h"

namespace sigwhy::experiment {

namespace {

constexpr std::size_t first_runs = 3;      // as it was, before anything is compared
constexpr std::size_t runs_without_death = 5;  // then it is said that it does not die again
constexpr std::size_t guarded_runs = 2;    // that neither die nor are caught
constexpr std::size_t layouts = 3;         // of the guarded heap in which it must be the same access
constexpr std::size_t most_otherwise = 3;
constexpr std::size_t runs_to_die_again = 3;

double budget_of(const SessionPlan& plan) {
  std::size_t comparisons = 0;
  for (const auto& step : plan.steps)
    if (step.planned.effect != Effect::again) comparisons += comparisons_of(step.planned.effect);
  return needed_capital(comparisons);
}

// Where it was killed at a limit, every run has that limit: it is a condition of the death, not a thing to vary.
Change conditions_of(const Subject& subject) {
  Change base;
  if (finding_of(subject.before, Cause::out_of_memory_killed)) base.memory_bytes = memory_limit(subject.before);
  return base;
}

class Session {
 public:
  Session(const Subject& subject, const SessionPlan& plan, const Tools& tools)
      : subject_(subject), plan_(plan), tools_(tools), base_(conditions_of(subject)), needed_(budget_of(plan)) {}

  Result<SessionEnd> run() {
    end_.result = subject_.before;
    end_.result.outcomes.clear();
    end_.result.fix_tests.clear();
    end_.result.proof.reset();
    for (const auto& step : plan_.steps) {
      if (is_over() || proven_) break;
      auto outcome = try_step(step);
      if (!any_run_ && error_) return std::unexpected(*error_);
      error_.reset();
      end_.settled |= is_news(outcome, step.planned.effect);
      if (outcome.settled == Settled::confirmed && step.planned.fix && step.planned.effect == Effect::survives)
        end_.result.fix_tests.push_back({*step.planned.fix, outcome.as_it_was, outcome.changed});
      proven_ = outcome.observed && step.planned.effect == Effect::caught;
      end_.result.outcomes.push_back(std::move(outcome));
    }
    end_.result = settle(std::move(end_.result));
    return std::move(end_);
  }

 private:
  bool is_over() const { return end_.interrupted || tools_.seconds() >= subject_.wishes.seconds; }

  // That a healthy program is not moved by something says nothing.
  bool is_news(const Outcome& outcome, Effect effect) const {
    if (effect == Effect::again || outcome.settled == Settled::inconclusive) return false;
    return outcome.settled == Settled::confirmed || has_death(subject_);
  }

  // Nothing: it was interrupted, or could not be run and error_ says why.
  std::optional<Trial> run_with(const Change& change) {
    auto trial = tools_.run(over(base_, change));
    if (!trial) {
      error_ = trial.error();
      return std::nullopt;
    }
    if (trial->interrupted) {
      end_.interrupted = true;
      return std::nullopt;
    }
    any_run_ = true;
    return std::move(*trial);
  }

  static void count(Arm& arm, End end) {
    ++arm.runs;
    arm.died += end == End::died;
    arm.otherwise += end == End::otherwise;
  }

  // One more run as it was; false: it could not be made.
  bool run_as_it_was() {
    const auto trial = run_with({});
    if (!trial) return false;
    const auto end = end_of(subject_.before, *trial);
    count(before_, end);
    if (end == End::otherwise) last_otherwise_ = how_it_ended(*trial);
    else deaths_before_.push_back(end == End::died);
    return true;
  }

  Outcome try_step(Step step) {
    auto& p = step.planned;
    Outcome outcome{.variation = step.name, .change = p.words, .cause = p.cause, .prediction = p.prediction};
    outcome.claim = p.claim;
    outcome.rival = p.rival;
    tell(step, outcome);
    if (auto ready = p.prepare ? p.prepare(p.change) : Result<void>{}; !ready) {
      outcome.why_not = ready.error().what + (ready.error().cause.empty() ? "" : ": " + ready.error().cause);
      return outcome;
    }
    if (p.effect == Effect::again) run_again(step, outcome);
    else if (p.effect == Effect::caught) try_to_catch(step, outcome);
    else compare(step, outcome);
    if (end_.interrupted && outcome.settled == Settled::inconclusive) outcome.why_not = "interrupted";
    if (error_ && !outcome.why_not) outcome.why_not = error_->what + (error_->cause.empty() ? "" : ": " + error_->cause);
    return outcome;
  }

  void tell(const Step& step, const Outcome& outcome) const {
    if (tools_.tell) tools_.tell({step.title, step.planned.words, before_, outcome.changed});
  }

  void run_again(const Step& step, Outcome& outcome) {
    const auto most = std::max(first_runs, std::min(runs_without_death, subject_.wishes.runs));
    while (before_.runs < most && !is_over()) {
      if (before_.runs >= first_runs && before_.died > 0) break;
      if (!run_as_it_was()) break;
      tell(step, outcome);
    }
    outcome.as_it_was = before_;
    const bool hung = subject_.before.snapshot.termination.kind == TerminationKind::hung;
    outcome.said = fmt::format("{} of {} runs {}", before_.died, before_.runs, hung ? "did not end in time again" : "died again");
    if (before_.died > 0) outcome.settled = Settled::confirmed;
    else if (before_.otherwise > 0) outcome.why_not = "it did not die in that way again: it " + last_otherwise_;
    else if (judged_catches(deaths_before_, needed_) == Settled::refuted) outcome.settled = Settled::refuted;
    else outcome.why_not = fmt::format("it did not die in {} runs", before_.runs);
  }

  // The counts behind an outcome, in words.
  void say_counts(const Planned& p, Outcome& outcome) const {
    outcome.as_it_was = before_;
    outcome.said = counts_text(p.as_it_was, before_, p.words, outcome.changed);
  }

  // Whether deaths can be taken away at all.
  bool is_hopeless(Effect effect) const {
    return effect == Effect::survives && before_.died == 0 && before_.runs >= runs_without_death;
  }

  std::string objection_to(const Planned& p, const Trial& trial) const {
    if (trial.took_effect == false) return trial.why_no_effect.empty() ? "the change took no effect" : trial.why_no_effect;
    if (trial.layer_full) return "it wrote more than the layer may hold";
    return p.objection ? p.objection(trial) : "";
  }

  void compare(const Step& step, Outcome& outcome) {
    const auto& p = step.planned;
    std::vector<bool> deaths;
    const auto runs_at_start = before_.runs;
    bool seen = false;
    while (!outcome.why_not) {
      const auto settled = seen && before_.died > 0 ? Settled::confirmed : judged(p.effect, deaths_before_, deaths, needed_);
      if (settled) {
        outcome.settled = *settled;
        break;
      }
      if (is_over()) outcome.why_not = "the time was over";
      else if (deaths.size() >= subject_.wishes.runs)
        outcome.why_not = fmt::format("{} runs of each did not tell them apart", deaths.size());
      else if (is_hopeless(p.effect)) outcome.why_not = fmt::format("as it was it did not die in {} runs", before_.runs);
      else if (deaths_before_.size() <= deaths.size()) {
        if (!run_as_it_was() || before_.runs > 2 * subject_.wishes.runs) break;
      } else if (!run_changed(p, outcome, deaths, seen)) break;
      tell(step, outcome);
    }
    outcome.observed = seen && outcome.settled == Settled::confirmed;
    if (outcome.settled == Settled::confirmed && p.effect == Effect::survives && before_.runs == runs_at_start)
      check_that_it_still_dies(outcome);
    say_counts(p, outcome);
  }

  bool run_changed(const Planned& p, Outcome& outcome, std::vector<bool>& deaths, bool& seen) {
    const auto trial = run_with(p.change);
    if (!trial) return false;
    if (auto objection = objection_to(p, *trial); !objection.empty()) {
      outcome.why_not = std::move(objection);
      return false;
    }
    const auto end = end_of(subject_.before, *trial);
    count(outcome.changed, end);
    if (end != End::otherwise) deaths.push_back(end == End::died);
    else if (outcome.changed.otherwise >= most_otherwise && outcome.changed.otherwise * 2 > outcome.changed.runs)
      outcome.why_not = "it failed in another way: it " + how_it_ended(*trial);
    seen |= p.observes && end == (p.effect == Effect::dies ? End::died : End::survived) && p.observes(*trial);
    return true;
  }

  // The runs as it was may be old by now: whatever else has changed since must not be taken for the change's merit.
  void check_that_it_still_dies(Outcome& outcome) {
    const auto died = before_.died;
    for (std::size_t i = 0; i < runs_to_die_again && before_.died == died; ++i)
      if (!run_as_it_was()) return;
    if (before_.died > died) return;
    outcome.settled = Settled::inconclusive;
    outcome.observed = false;
    outcome.why_not = "meanwhile it no longer dies as it was either";
  }

  void try_to_catch(const Step& step, Outcome& outcome) {
    std::vector<bool> caught;
    catches_.clear();
    fresh_bytes_.reset();
    died_there_.clear();
    const auto tells_nothing = [&] { return outcome.changed.runs - caught.size() >= guarded_runs; };
    while (outcome.changed.runs < subject_.wishes.runs && !tells_nothing() && !outcome.why_not) {
      if (is_over()) outcome.why_not = "the time was over";
      if (outcome.why_not || !run_guarded(step.planned, outcome, caught)) break;
      tell(step, outcome);
      const auto settled = judged_catches(caught, needed_);
      if (!settled) continue;
      if (*settled == Settled::confirmed) outcome.settled = Settled::confirmed;
      else if (step.planned.catches) outcome.settled = Settled::refuted;
      else settle_misses(outcome);
      if (outcome.settled != Settled::confirmed || is_enough()) break;
    }
    outcome.as_it_was = before_;
    if (outcome.settled == Settled::confirmed) return say_catches(outcome);
    const auto runs = outcome.changed.runs;
    if (runs == 0) return;
    outcome.said = fmt::format("{} nothing was caught in {} {}", outcome.change, runs, runs == 1 ? "run" : "runs");
    if (!died_there_.empty() && !outcome.why_not)
      outcome.why_not = "it " + died_there_ + " there" + (has_death(subject_) ? "" : ", as it does not without") +
                        ": a mistake that cannot be named, or the guard's";
  }

  // One catch says that there is a mistake; whether it belongs to the block that was met, other layouts of the heap say.
  // What the guard's own books say (a block freed twice, a canary gone) needs no second run.
  bool is_enough() const {
    if (catches_.empty() || !are_alike(catches_) || catches_.size() >= layouts) return true;
    return catches_[0].from_books && catches_[0].proven_alone;
  }

  void say_catches(Outcome& outcome) {
    outcome.why_not.reset();
    if (catches_.empty()) return;
    outcome.observed = are_one(catches_);
    const auto runs = catches_.size();
    if (runs == 1) outcome.said = outcome.change + " it was caught once";
    else if (outcome.observed)
      outcome.said = fmt::format("{} it was caught in {} runs, each with the blocks at other places: always the same access to the same block",
                                 outcome.change, runs);
    else
      outcome.said = fmt::format("{} it was caught in {} runs, each with the blocks at other places, {}", outcome.change, runs,
                                 !are_alike(catches_)              ? "and not each time at the same block"
                                 : catches_.front().reused_bytes ? "always at a place where another block had been before"
                                                                   : "and not each time at the same byte of the block");
  }

  // The mistake is in the heap by its very name, every block was guarded, and nothing was caught.
  void settle_misses(Outcome& outcome) const {
    using enum Cause;
    const auto cause = outcome.cause;
    if (cause == heap_corruption || cause == use_after_free || cause == invalid_free) outcome.settled = Settled::refuted;
    else outcome.why_not = "it dies as before and touches no guarded page: what it missed is not in the heap";
  }

  bool run_guarded(const Planned& p, Outcome& outcome, std::vector<bool>& caught) {
    Change change = p.change;
    change.set.emplace_back(guard::seed_variable, std::to_string(outcome.changed.runs + 1));
    if (fresh_bytes_) change.set.emplace_back(guard::fresh_variable, std::to_string(*fresh_bytes_));
    auto trial = run_with(change);
    if (!trial) return false;
    if (auto objection = objection_to(p, *trial); !objection.empty()) {
      outcome.why_not = std::move(objection);
      return false;
    }
    const auto end = has_death(subject_) ? end_of(subject_.before, *trial) : End::otherwise;
    count(outcome.changed, end);
    if (trial->timed_out && end != End::died) outcome.why_not = "it did not end in time";
    if (p.catches) {
      const auto words = p.catches(*trial);
      if (!words.empty()) outcome.said = outcome.change + " " + words;
      if (!words.empty() || end == End::died) caught.push_back(!words.empty());
      return true;
    }
    const Finding* finding = p.observes(*trial) ? caught_by_guard(trial->result.diagnosis) : nullptr;
    if (!finding) {
      if (end == End::died && is_whole(*trial)) caught.push_back(false);
      if (end == End::otherwise && trial->result.diagnosis.verdict != Cause::clean_exit) died_there_ = how_it_ended(*trial);
      return true;
    }
    if (tie_between(subject_.before.snapshot, subject_.before.diagnosis, trial->result.snapshot, *finding) == Tie::another) {
      outcome.why_not = "another mistake is caught first: " + finding->claim;
      return true;
    }
    caught.push_back(true);
    outcome.cause = finding->cause;
    keep_catch(catch_of(trial->result.snapshot, *finding));
    end_.result.proof = std::move(trial->result.snapshot);
    return true;
  }

  // The runs after one that met a place in use for the second time keep that size's places fresh, and count alone.
  void keep_catch(Catch made) {
    if (made.reused_bytes) fresh_bytes_ = made.reused_bytes;
    else std::erase_if(catches_, [](const Catch& c) { return c.reused_bytes.has_value(); });
    catches_.push_back(std::move(made));
  }

  // Every block had its page: only then is it a miss that nothing was caught.
  static bool is_whole(const Trial& trial) {
    const auto& heap = trial.result.snapshot.guarded_heap;
    return heap && heap->mode != GuardMode::sampled && heap->guarded_allocations * 100 >= heap->allocations * 99;
  }

  const Subject& subject_;
  const SessionPlan& plan_;
  const Tools& tools_;
  Change base_;
  double needed_;
  SessionEnd end_;
  Arm before_;
  std::vector<bool> deaths_before_;
  std::vector<Catch> catches_;
  std::optional<std::uint64_t> fresh_bytes_;
  std::string died_there_;  // on the guarded heap, of nothing that was caught
  std::string last_otherwise_;
  std::optional<Error> error_;
  bool any_run_ = false;
  bool proven_ = false;
};

}  // namespace

Result<SessionEnd> run_session(const Subject& subject, const SessionPlan& plan, const Tools& tools) {
  return Session(subject, plan, tools).run();
}

}  // namespace sigwhy::experiment
