// Names for a handful of addresses by one pass over a symbol table, read in chunks: a table of 1.2 million symbols
// costs its 30 MB of reading once and no memory, whatever the number of addresses. Names are read for winners only.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "native/elf_file.h"

namespace sigwhy::native {

struct FoundSymbol {
  std::string name;          // as in the file, without a version suffix
  std::uint64_t offset = 0;  // of the address in the symbol
};

// One answer per address, in their order. `table` is .symtab or .dynsym of `elf`; addresses are the file's own.
std::vector<std::optional<FoundSymbol>> find_symbols(const ElfFile& elf, const ElfSection& table,
                                                     const std::vector<std::uint64_t>& addresses);

}  // namespace sigwhy::native
