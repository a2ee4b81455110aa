// Finds an exported symbol of a loaded ELF module through memory alone: no file is opened, nothing is allocated,
// a fixed number of small reads. Serves the few names that must be known while the process is stopped.
#pragma once
#include <optional>
#include <string_view>

#include "target/memory.h"

namespace sigwhy {

// `base` is the address at which the file's first bytes are mapped. Nothing where the name is not exported, the
// module has no GNU hash table, or its bytes make no sense.
std::optional<Address> dynamic_symbol(const Memory& memory, Address base, std::string_view name);

}  // namespace sigwhy
