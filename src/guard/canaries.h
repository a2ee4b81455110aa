// The bytes around a block that nobody may change.
#pragma once
#include "guard/raw.h"
#include "guard/wire.h"

namespace sigwhy::guard {

void write_canaries(const Block& block);
// True, and the block's record says where, if one was changed.
bool find_damage(Block& block);

}  // namespace sigwhy::guard
