// The dynamic linker's choice, computed again: a call by name goes to the first definition in the global scope (the
// program, what it needs, preloads, what was opened RTLD_GLOBAL, in load order), else in the scope of the file that was
// opened; versions must agree; a file linked -Bsymbolic asks itself first. Where the slot that the loader filled is
// still to be read, its word counts instead. Only families of which there are two copies are looked at, and only calls:
// unique symbols and other data have no slots of this kind.
#pragma once
#include <vector>

#include "evidence/inventory.h"
#include "inventory/came_in.h"
#include "inventory/survey.h"

namespace sigwhy::inventory {

std::vector<Crossing> crossings(const Target& target, const Snapshot& snapshot, const Survey& survey,
                                const std::vector<Entry>& entries, const Budget& budget);

}  // namespace sigwhy::inventory
