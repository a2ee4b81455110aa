// An allocator that is preloaded, or linked into the program, takes malloc's place for everybody whose names are looked
// up in the usual order. A file opened with RTLD_DEEPBIND asks its own libraries first, and so calls the C library's
// malloc and free all the same: what it frees of others', or others free of its, is a stranger's block.
#pragma once
#include <optional>

#include "evidence/inventory.h"
#include "inventory/survey.h"

namespace sigwhy::inventory {

// The call of free() in which the dying thread stands, where it lies in another file than the allocator that comes
// first in the search order. Absent also where that order is not known.
std::optional<Crossing> allocator_passed_by(const Snapshot& snapshot, const Survey& survey);

}  // namespace sigwhy::inventory
