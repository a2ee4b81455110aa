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

// A child died, and then an exception ended its parent. Is that about the child? A program that has seen to its child's
// crash may fail of something else a second later.
bool tells_of_child(const Snapshot& snapshot);
// The last child that died by a fault of its own, as an index into Process.tree.
std::optional<std::size_t> crashed_child(const Snapshot& snapshot);
std::string crashed_text(const ProcessNode& child);

// Of a program that waits: the first child of its own kind that ended badly, otherwise than by the parent's own hand. What it was to
// deliver may be what is waited for; a multiprocessing.Pool loses the task and starts another worker without a word.
std::optional<std::size_t> lost_child(const Snapshot& snapshot);
std::string lost_text(const ProcessNode& child);

}  // namespace sigwhy::diagnose
