// Which pointer free was given: nobody keeps it, but the code of the caller says where it took it from, and free was
// just working on the chunk in front of it.
//
// It matters most where the pointer leads into the middle of a block. The data in front of it is then taken for a
// header, so that glibc may complain of anything, or follow it to nowhere.
#pragma once
#include <optional>
#include <vector>

#include "evidence/memory.h"
#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

struct GivenToFree {
  Address pointer;
  bool by_caller = false;  // by the code of the caller, which calls just that: certain
};

std::optional<GivenToFree> given_to_free(const Target& target, const std::vector<Frame>& dying,
                                         const std::vector<Module>& modules);

}  // namespace sigwhy::native
