// A variation is one thing that a re-run changes. One file each in variations/; the file name is its id. It looks at
// the case and says what it would change and what must then happen if a finding is right, or why it does not apply.
//
// A variation that only counts deaths can make a finding strong and never proven: whatever is changed also moves the
// heap, the timing and the order of things. Only one that sees the mechanism itself (`observes`) proves.
#pragma once
#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "experiment/trial.h"

namespace sigwhy::experiment {

struct Parameter {
  std::string name;
  std::string value;
};

// What the user asked for.
struct Wishes {
  std::vector<std::string> only;  // ids of variations; empty: all that apply
  std::vector<Parameter> parameters;
  std::string version;            // of a package, as pip writes it: "numpy<2"
  std::size_t runs = 20;          // of each arm, at most
  double seconds = 900;           // for the whole session
};

// What is to be settled.
struct Subject {
  const Case& before;
  const Recipe& recipe;
  const Wishes& wishes;
};

enum class Effect {
  again,     // nothing is changed: how often does it die?
  survives,  // the deaths stop
  dies,      // it dies where it did not, or more often
  moves,     // one of the two
  caught,    // the mechanism is seen in the run itself
};

struct Planned {
  Change change;
  std::string words;                   // "with 1 thread"
  std::string as_it_was = "as it was";
  Cause cause = Cause::unknown;        // of the finding that it is about
  std::string prediction;              // what must happen if that finding is right
  Effect effect = Effect::survives;
  std::string claim;  // of the finding that follows where no rule has said so yet; empty: none does
  std::string rival;  // what else the change moves
  std::optional<std::string> fix;      // where the change is itself a fix: what the user would do
  int rank = 0;                        // how well it separates; the highest goes first
  std::string why;                     // why it is worth a try here
  // The mechanism was seen in this run with the change.
  std::function<bool(const Trial&)> observes;
  // For `caught` without the guarded heap: what was caught in this run, as the outcome words it; empty: nothing.
  std::function<std::string(const Trial&)> catches;
  // Gets what the change needs and adds it to the change; called once, before the first run with it.
  std::function<Result<void>(Change&)> prepare;
  // Why this run says nothing about the change: it did not take effect. "" where it did, or cannot be told.
  std::function<std::string(const Trial&)> objection;
};

// What would be done, or why not.
using Plan = std::expected<Planned, std::string>;

struct Variation {
  const char* title;  // "guarded heap"
  Plan (*plan)(const Subject&);
};

std::span<const Variation* const> all_variations();
std::span<const char* const> names_of_variations();  // in the same order

}  // namespace sigwhy::experiment
