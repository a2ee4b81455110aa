// Loaded files with code, from the mappings alone: nothing is opened here, so three hundred modules cost nothing.
// What needs the file (build-id, was it replaced?) is filled in by name_frames for modules that occur in stacks.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "evidence/memory.h"
#include "native/elf_file.h"
#include "native/mapped_file.h"
#include "target/target.h"

namespace sigwhy::native {

inline constexpr std::string_view vdso_path = "[vdso]";

// Sorted by start, disjoint.
std::vector<Module> modules_of(const Target& target);

std::optional<std::uint64_t> module_at(const std::vector<Module>& sorted, Address a);

// The module's file if it still is the loaded one; for the vdso its bytes in memory.
struct ModuleFile {
  std::optional<ElfFile> elf;
  FileMatch match = FileMatch::gone;
  std::string why;  // in words, where there is no elf
};
ModuleFile open_module(const Target& target, const Module& module);

// Where `pc` lies in the file's own addresses, whatever the load address.
std::optional<std::uint64_t> address_in_file(const Target& target, const Module& module, const ElfFile& elf,
                                             Address pc);

// The kernel's code page as bytes; empty where memory does not have it whole.
std::vector<std::byte> vdso_bytes(const Target& target, const Module& module);

}  // namespace sigwhy::native
