// Finds an exported symbol of a loaded ELF module through memory alone: no file is opened, nothing is allocated,
// a fixed number of small reads. Serves the few names that must be known while the process is stopped.
#pragma once
#include <elf.h>

#include <optional>
#include <string_view>

#include "target/memory.h"

namespace sigwhy {

// `base` is the address at which the file's first bytes are mapped. Nothing where the name is not exported, the
// module has no GNU hash table, or its bytes make no sense.
std::optional<Address> dynamic_symbol(const Memory& memory, Address base, std::string_view name);

// Where the tables of one module lie, in whatever `Memory` holds them: a process, or a file by its offsets.
struct SymbolTables {
  Address hash, symbols, strings;
};
struct FoundSymbol {
  std::uint32_t index = 0;
  Elf64_Sym symbol{};
};
std::optional<FoundSymbol> find_symbol(const Memory& memory, const SymbolTables& tables, std::string_view name);

}  // namespace sigwhy
