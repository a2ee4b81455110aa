// How a module came into the process: with the program, because another needs it, opened while it ran, preloaded.
#pragma once
#include "evidence/inventory.h"
#include "inventory/survey.h"

namespace sigwhy::inventory {

struct Entry {
  CameIn how = CameIn::unknown;
  std::optional<std::size_t> brought_by;  // who needs it
};

// For every module of the snapshot.
std::vector<Entry> entries(const Snapshot& snapshot, const Survey& survey);

// The module that was opened, by a Python import or dlopen, and brought this one; itself where it was opened.
std::size_t opened_root(const std::vector<Entry>& entries, std::size_t module);

}  // namespace sigwhy::inventory
