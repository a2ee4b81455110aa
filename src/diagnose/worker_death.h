// The parent of a pool only knows that a worker is gone. Which one, and of which signal, the process tree knows.
#pragma once
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct WorkerDeath {
  std::string words;
  std::string fix;
  std::optional<std::size_t> node;  // index into Process.tree
  // By SIGKILL: the exception only reports it, and who killed the worker is the question that stays.
  bool killed = false;
};

std::optional<WorkerDeath> worker_death(const Facts& facts);

}  // namespace sigwhy::diagnose
