// Line and inlined calls of an address from one file's DWARF, by libdw. The file is mapped and touched only where
// needed. Meant to run in a child: libdw reads hostile bytes here.
#pragma once
#include <elfutils/libdw.h>

#include <memory>
#include <optional>
#include <string>
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
  struct UnitRange {
    Dwarf_Addr begin = 0, end = 0;
    Dwarf_Die unit{};
  };
  DebugInfo() = default;
  bool unit_at(std::uint64_t address, Dwarf_Die& unit);
  void index_units();

  OwnedFd fd_;
  std::unique_ptr<Elf, EndElf> elf_;
  std::unique_ptr<Dwarf, EndDwarf> dwarf_;
  std::optional<std::vector<UnitRange>> units_;  // made where .debug_aranges does not know an address
};

}  // namespace sigwhy::native
