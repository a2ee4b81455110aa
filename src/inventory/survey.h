// One look at every loaded file: what it needs, what it offers, which families it holds a copy of. Each file is opened
// once and closed again; what lies on the dying thread's stack comes first, in case time runs out.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "evidence/snapshot.h"
#include "inventory/budget.h"
#include "inventory/family.h"
#include "target/target.h"

namespace sigwhy::inventory {

struct Held {
  std::size_t family = 0;  // index into all_families()
  Copy copy;
};

struct Surveyed {
  bool looked = false;
  std::string soname;
  std::vector<std::string> needed;
  bool symbolic = false;
  std::vector<Held> holds;
};

// The loader's own order, as indices into the snapshot's modules.
struct LoadOrder {
  std::vector<std::size_t> modules;
  std::vector<bool> global;  // by module; empty: not known
  bool known() const { return !modules.empty(); }
};

struct Survey {
  std::vector<Surveyed> modules;  // as the snapshot's
  LoadOrder order;
  std::size_t not_looked = 0;  // for want of time
  std::size_t unreadable = 0;  // gone or replaced on disk

  // The loaded module that satisfies a DT_NEEDED entry: the first with that soname or file name.
  std::optional<std::size_t> provider(const Snapshot& snapshot, const std::string& name) const;
};

Survey survey(const Target& target, const Snapshot& snapshot, const Budget& budget);

}  // namespace sigwhy::inventory
