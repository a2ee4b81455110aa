// Where it happened: the user's own code first, then the library it died in.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "report/view.h"

namespace sigwhy::report {

// One function that was active: a frame, or a call inlined into one.
struct Call {
  const Frame* frame = nullptr;
  const Module* module = nullptr;
  std::string symbol;  // empty: not known
  const Source* source = nullptr;
  bool inlined = false;
  bool own = false;       // the user's own code
  std::size_t index = 0;  // of its frame
};

// All calls of a thread, innermost first, inlined ones in their place.
std::vector<Call> calls_of(const Snapshot& snapshot, const Thread& thread);

// The thread that died; null where none was read.
const Thread* dying_thread(const Snapshot& snapshot);

// One call as a row: place, function, notes.
Row place_of(const Snapshot& snapshot, const Thread& thread, const Call& call);

// With the arrays and numbers that the told findings or the Python line itself name.
std::vector<Row> make_places(const Snapshot& snapshot, const std::vector<const Finding*>& told = {});

}  // namespace sigwhy::report
