// The pointer that an address was counted from, where the instruction before the fault has added it up and thereby
// overwritten the index: `lea rsi, [rdx+rsi*4]; movss xmm0, [rsi]`. rdx still points to what was meant.
#pragma once
#include <optional>

#include "evidence/thread.h"
#include "target/target.h"

namespace sigwhy::native {

// Nothing where the code before cannot be told, or the parts of the sum have changed since.
std::optional<SummedBase> summed_base(const Target& target, const Fault& fault);

}  // namespace sigwhy::native
