#include "guard/findings.h"

#include <stdlib.h>

#include "guard/blocks.h"
#include "guard/code_ranges.h"
#include "guard/contexts.h"
#include "guard/state.h"

namespace sigwhy::guard {

namespace {

enum class Family { c, object, array };

Family family_of(Call call) {
  switch (call) {
    case Call::new_:
    case Call::delete_: return Family::object;
    case Call::new_array:
    case Call::delete_array: return Family::array;
    default: return Family::c;
  }
}

}  // namespace

// A library may hide an operator new of its own that calls malloc (the C++ library linked into it, or the few newer
// forms that come so with wheels built for old systems), and then hides its operator delete too: only what another
// library ends or makes looks wrong, and is not. Inside one library malloc and delete meet by mistake alone.
bool is_mismatch(CalledBy made, CalledBy ended) {
  const Family one = family_of(made.call), other = family_of(ended.call);
  if (one == other) return false;
  return (one != Family::c && other != Family::c) || is_same_library(made.pc, ended.pc);
}

void tell(const Found& found, const Caller& caller, bool stop) {
  u8 nothing = 0;
  auto* what = reinterpret_cast<u8*>(&header.stop);
  // The first is what counts; a later one that stops the program replaces what was only noted.
  if (!__atomic_compare_exchange_n(what, &nothing, static_cast<u8>(found.what), false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    if (!stop || header.stopped) return stop ? abort() : void();
    header.stop = found.what;
  }
  header.stop_address = reinterpret_cast<u64>(found.pointer);
  header.stop_block = found.block == none ? 0 : found.block + u64{1};
  header.stop_context = keep_context(caller);
  if (!stop) return;
  header.stopped = 1;
  abort();
}

}  // namespace sigwhy::guard
