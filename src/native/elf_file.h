// One ELF file, read piece by piece: headers by libelf without mapping the file, tables by pread in bounded
// chunks. TensorFlow's main library is 1 GB with 1.2 million symbols; whoever maps and touches it pays with RSS.
// Addresses here are the file's own (as linked); `address_of_offset` gets there from a place in the file.
#pragma once
#include <gelf.h>
#include <libelf.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/owned_fd.h"

namespace sigwhy::native {

struct ElfSection {
  std::uint64_t index = 0;
  std::string name;
  std::uint32_t type = 0;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  std::uint64_t link = 0;
};

class ElfFile {
 public:
  static std::optional<ElfFile> open(OwnedFd fd);
  // The vdso has no file, only bytes in memory.
  static std::optional<ElfFile> from_bytes(std::vector<std::byte> bytes);

  std::optional<std::string> build_id() const;  // hex
  std::optional<std::uint64_t> address_of_offset(std::uint64_t file_offset) const;

  // Parts of the file that are loaded writable: the loader relocates them, so memory differs from the file there
  // even where it was made read-only afterwards.
  struct Range {
    std::uint64_t begin = 0, end = 0;
  };
  std::vector<Range> relocated_ranges() const;

  const std::vector<ElfSection>& sections() const { return sections_; }
  const ElfSection* section(std::uint64_t index) const;
  const ElfSection* section_of_type(std::uint32_t type) const;
  const ElfSection* section_named(std::string_view name) const;

  // A name out of a string table, without a version suffix; empty where there is none.
  std::string read_string(const ElfSection& strings, std::uint64_t index) const;

  // A second descriptor for the same file; empty for bytes in memory.
  OwnedFd duplicate_fd() const;

  // Fills as much of `into` as the file has at `offset`.
  std::size_t read(std::uint64_t offset, std::span<std::byte> into) const;

 private:
  struct End {
    void operator()(Elf* elf) const { elf_end(elf); }
  };
  ElfFile() = default;
  bool load();
  void load_sections();
  std::vector<GElf_Phdr> load_segments() const;

  OwnedFd fd_;
  std::vector<std::byte> bytes_;
  std::unique_ptr<Elf, End> elf_;
  std::vector<ElfSection> sections_;
};

std::string hex(std::span<const std::byte> bytes);

}  // namespace sigwhy::native
