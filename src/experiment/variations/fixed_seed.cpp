// The same random numbers in every run. What dies now and then because of its data, the order of its shuffling or of
// its sets then dies always or never; what depends on threads or addresses goes on as before. It names no cause, but
// a death that can be had at will is half explained.
#include "experiment/python_code.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  if (!runs_python(subject)) return std::unexpected("it runs no Python");
  if (!has_death(subject)) return std::unexpected("it did not die");
  if (const auto seed = variable(subject.recipe, "PYTHONHASHSEED"); seed && *seed != "random")
    return std::unexpected("PYTHONHASHSEED was set already");
  Planned planned{.words = "with fixed seeds",
                  .prediction = "with the same random numbers it dies always or never",
                  .effect = Effect::moves,
                  .rival = "other numbers also take other paths through the same mistake",
                  .rank = 20,
                  .why = "it runs Python, whose hashes and random numbers differ from run to run"};
  planned.change.set = {{"PYTHONHASHSEED", "0"}};
  planned.change.start_up = "import random\nrandom.seed(0)\n" + after_import("numpy.random", "module.seed(0)") +
                            after_import("torch", "module.manual_seed(0)") +
                            after_import("tensorflow", "module.random.set_seed(0)");
  return planned;
}

extern const Variation fixed_seed;
const Variation fixed_seed = {.title = "fixed seeds", .plan = plan};

}  // namespace sigwhy::experiment::variations
