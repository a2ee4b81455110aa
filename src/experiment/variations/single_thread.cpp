// One thread in every library that makes threads for arithmetic. A race needs two; but one thread fewer also moves
// the heap and the timing, so that fewer deaths never prove one. TensorFlow reads its two switches from 2.x on, torch
// and NumPy's libraries through OMP, MKL and OPENBLAS.
#include <fmt/format.h>

#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static Plan plan(const Subject& subject) {
  const auto threads = threads_of(subject.before);
  if (!has_death(subject)) return std::unexpected("it did not die");
  if (threads <= 1) return std::unexpected("it ran in one thread");
  Planned planned{.words = "with 1 thread",
                  .as_it_was = fmt::format("with {} threads", threads),
                  .cause = Cause::data_race,
                  .prediction = "in one thread it does not die",
                  .claim = "it dies only where several threads compute at once",
                  .rival = "one thread fewer also moves the heap and the timing",
                  .rank = 60,
                  .why = fmt::format("it had {} threads", threads)};
  for (const char* name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS",
                           "NUMEXPR_NUM_THREADS", "NUMEXPR_MAX_THREADS", "VECLIB_MAXIMUM_THREADS",
                           "TF_NUM_INTRAOP_THREADS", "TF_NUM_INTEROP_THREADS", "NUMBA_NUM_THREADS", "RAYON_NUM_THREADS"})
    planned.change.set.emplace_back(name, "1");
  planned.fix = "OMP_NUM_THREADS=1 in the environment hides it at the price of speed; the code that shares data "
                "between threads is what to mend";
  return planned;
}

extern const Variation single_thread;
const Variation single_thread = {.title = "one thread", .plan = plan};

}  // namespace sigwhy::experiment::variations
