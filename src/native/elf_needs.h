// What an ELF file asks of the dynamic linker and of the CPU, from its dynamic section and notes: nothing is loaded.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::native {

struct VersionNeed {
  std::string library;  // "libstdc++.so.6"
  std::string version;  // "GLIBCXX_3.4.30"
  bool weak = false;    // the linker warns only
};

struct ElfNeeds {
  std::string soname;
  std::vector<std::string> needed;   // DT_NEEDED, in order
  std::string rpath, runpath;        // as written, with $ORIGIN
  std::vector<VersionNeed> versions;
  std::vector<std::string> defines;  // versions that it has itself
  std::uint32_t isa_needed = 0;      // GNU_PROPERTY_X86_ISA_1_NEEDED: 1 baseline, 2 x86-64-v2, 4 v3, 8 v4
  std::string interpreter;           // of a program: the dynamic linker
};

// Nothing where it is no ELF file for this machine.
std::optional<ElfNeeds> elf_needs(const std::string& path);

// The bytes behind `text` up to `end`, where the file's read-only data has it; nothing where it has not. At most
// `most_bytes` of the file are read.
std::optional<std::string> text_behind(const std::string& path, std::string_view text, char end, std::uint64_t most_bytes);

// Which of the texts its read-only data has, in their order. Nothing where it cannot be read whole within the bound.
std::optional<std::vector<bool>> has_texts(const std::string& path, const std::vector<std::string_view>& texts, std::uint64_t most_bytes);

}  // namespace sigwhy::native
