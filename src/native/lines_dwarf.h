// Line and inlined calls of an address from one file's DWARF, by libdw. The file is mapped and touched only where
// needed. Meant to run in a child: libdw reads hostile bytes here. libdw's own dwarf_getscopes walks a unit's whole
// tree for every address, 10 ms and more for one C++ file; here each unit's functions are listed once.
#pragma once
#include <elfutils/libdw.h>

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/owned_fd.h"
#include "evidence/thread.h"

namespace sigwhy::native {

struct LineAnswer {
  std::optional<std::string> function;  // the function that really stands there
  std::optional<Source> source;         // where in that function
  std::vector<InlinedCall> inlined;     // innermost first
};

class DebugInfo {
 public:
  static std::optional<DebugInfo> open(OwnedFd fd);
  // `address` is the file's own.
  std::optional<LineAnswer> at(std::uint64_t address);

 private:
  struct EndElf {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  struct EndDwarf {
    void operator()(Dwarf* dwarf) const { dwarf_end(dwarf); }
  };
  struct Range {
    Dwarf_Addr begin = 0, end = 0;
    Dwarf_Die die{};
  };
  using Index = std::vector<Range>;  // sorted by begin

  DebugInfo() = default;
  static void add_ranges(Dwarf_Die die, Index& index);
  static void add_functions(Dwarf_Die parent, Index& index, int depth);
  static std::optional<Dwarf_Die> find(const Index& index, std::uint64_t address);
  std::optional<Dwarf_Die> unit_at(std::uint64_t address);
  std::optional<Dwarf_Die> function_at(Dwarf_Die unit, std::uint64_t address);
  void index_units();

  OwnedFd fd_;
  std::unique_ptr<Elf, EndElf> elf_;
  std::unique_ptr<Dwarf, EndDwarf> dwarf_;
  std::optional<Index> units_;                      // made where .debug_aranges does not know an address
  std::unordered_map<Dwarf_Off, Index> functions_;  // by unit
};

}  // namespace sigwhy::native
