// The parent of a pool only knows that a worker is gone. Which one, and of which signal, the process tree knows.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct WorkerDeath {
  std::string words;
  std::string fix;
  std::optional<std::size_t> node;  // index into Process.tree
};

std::optional<WorkerDeath> worker_death(const Facts& facts);

}  // namespace sigwhy::diagnose
