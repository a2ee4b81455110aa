// torch's DataLoader reads data in worker processes. Without them the same code runs in the process itself: a death
// that needs the fork, the shared memory between the processes or a worker's own copy of the data then stops.
#include "experiment/python_code.h"
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static constexpr const char* code = R"(
_init = module.DataLoader.__init__
def _without_workers(self, *args, **named):
    args = list(args)
    if len(args) > 5:
        args[5] = 0
    else:
        named['num_workers'] = 0
    for name in ('prefetch_factor', 'persistent_workers', 'multiprocessing_context', 'timeout'):
        named.pop(name, None)
    _init(self, *args[:9], **named)
module.DataLoader.__init__ = _without_workers
)";

static Plan plan(const Subject& subject) {
  if (!has_death(subject)) return std::unexpected("it did not die");
  if (!has_package(subject, "torch") && !has_library(subject, "libtorch"))
    return std::unexpected("torch was not loaded");
  if (workers_of(subject.before) == 0 && !subject.before.snapshot.root) return std::unexpected("it had no workers");
  Planned planned{.words = "with 0 DataLoader workers",
                  .cause = Cause::fork_after_threads,
                  .prediction = "without worker processes it does not die",
                  .claim = "it fails only with worker processes of a DataLoader",
                  .rival = "without workers the data is also read at other times and by other threads",
                  .fix = "DataLoader(num_workers=0)",
                  .rank = 57,
                  .why = "torch was loaded and it had workers"};
  planned.change.start_up = after_import("torch.utils.data", code);
  return planned;
}

extern const Variation no_workers;
const Variation no_workers = {.title = "no DataLoader workers", .plan = plan};

}  // namespace sigwhy::experiment::variations
