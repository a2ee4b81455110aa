// What the guard itself found wrong, told by the header. In the modes that guard everything, and wherever the C
// library would have given up as well, the program is stopped: by abort, after the tables are consistent.
#pragma once
#include "guard/caller.h"
#include "guard/wire.h"

namespace sigwhy::guard {

struct Found {
  Stop what;
  const void* pointer;  // what was handed to free
  u32 block;            // none: not known
};

void tell(const Found& found, const Caller& caller, bool stop);

struct CalledBy {
  Call call;
  u64 pc;
};
// Whether what one made must not be ended by the other.
bool is_mismatch(CalledBy made, CalledBy ended);

}  // namespace sigwhy::guard
