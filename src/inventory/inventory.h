// What libraries a process had loaded, told apart by family, and where the dynamic linker bound one copy's calls to
// another. Works on the files of the loaded modules, after the program was let go.
#pragma once
#include <vector>

#include "evidence/snapshot.h"
#include "target/target.h"

namespace sigwhy::inventory {

// `snapshot` has its modules, threads and Python side already.
Inventory take_inventory(const Target& target, const Snapshot& snapshot, std::vector<Gap>& gaps);

}  // namespace sigwhy::inventory
