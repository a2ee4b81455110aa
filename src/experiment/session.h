// A session: the variations that apply, the best separators first, both arms run until they are told apart or the
// user's bounds are met. What runs a trial is given from outside, so that a session can be simulated.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "experiment/variation.h"

namespace sigwhy::experiment {

struct Step {
  std::string name;  // of the variation's file, with dashes
  const char* title;
  Planned planned;
};

struct Refused {
  std::string name;
  std::string why;
};

struct SessionPlan {
  std::vector<Step> steps;  // in the order in which they run
  std::vector<Refused> refused;
};

// An error: the user named a variation that does not exist.
Result<SessionPlan> plan_session(const Subject& subject);

struct Progress {
  std::string what;  // "one thread"
  std::string words;  // "with 1 thread"
  Arm as_it_was;
  Arm changed;
};

struct Tools {
  std::function<Result<Trial>(const Change&)> run;
  std::function<double()> seconds;  // since the session began
  std::function<void(const Progress&)> tell;
};

struct SessionEnd {
  Case result;               // with outcomes, fix tests, and the diagnosis that follows
  bool interrupted = false;  // by the user: what was known by then
  bool settled = false;      // something was confirmed or refuted
};

// An error: not one run could be made.
Result<SessionEnd> run_session(const Subject& subject, const SessionPlan& plan, const Tools& tools);

// A change on top of another.
Change over(Change base, const Change& change);

}  // namespace sigwhy::experiment
