// What the dynamic loader reads of one file: its name, what it needs, which symbols and versions it offers, through
// which slots it calls. Read by small pieces of the file, so that a library of a gigabyte costs what a small one does.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "native/elf_file.h"
#include "target/dynamic_symbols.h"

namespace sigwhy::native {

struct Definition {
  std::uint64_t address = 0;  // the file's own
  std::string version;        // empty: it has none
  bool default_version = true;
};

// A slot of the procedure linkage table: the loader writes the address of the bound definition there.
struct CallSlot {
  std::uint64_t address = 0;  // the file's own
  std::string symbol;
  std::string version;
  bool defined_here = false;
};

// The file by its own offsets; a part that is asked for again and again is kept.
class FileBytes final : public Memory {
 public:
  FileBytes(const ElfFile& elf, std::uint64_t start, std::string near)
      : elf_(&elf), start_(start), near_(std::move(near)) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;

 private:
  const ElfFile* elf_;
  std::uint64_t start_;
  std::string near_;
};

class DynamicTable {
 public:
  // `elf` must outlive it. Nothing for a file without a dynamic section.
  static std::optional<DynamicTable> of(const ElfFile& elf);

  const std::string& soname() const { return soname_; }
  const std::vector<std::string>& needed() const { return needed_; }
  bool symbolic() const { return symbolic_; }  // it binds its own symbols first
  // Versions of symbols that it offers ("GLIBCXX_3.4.30"), in the file's order.
  std::vector<std::string> versions() const;

  bool defines(std::string_view name) const { return find_index(name).has_value(); }
  std::optional<Definition> find(std::string_view name) const;
  // Slots of the symbols that `wanted` takes; absent where there are more than are worth reading.
  std::optional<std::vector<CallSlot>> call_slots(const std::function<bool(std::string_view)>& wanted) const;

 private:
  explicit DynamicTable(const ElfFile& elf) : elf_(&elf) {}
  void read_entries(const ElfSection& dynamic, const ElfSection& strings);
  std::optional<FoundSymbol> find_index(std::string_view name) const;
  std::uint16_t version_index(std::uint64_t symbol) const;
  std::string version_name(std::uint16_t index) const;
  void read_versions() const;

  const ElfFile* elf_;
  std::string soname_;
  std::vector<std::string> needed_;
  bool symbolic_ = false;
  const ElfSection* symbols_ = nullptr;
  const ElfSection* strings_ = nullptr;
  std::optional<SymbolTables> tables_;
  std::optional<FileBytes> bytes_;
  mutable bool versions_read_ = false;
  mutable std::size_t offered_ = 0;
  mutable std::vector<std::pair<std::uint16_t, std::string>> version_names_;
};

// The text behind `mark` in the file's constants, where it begins with a digit; at most 64 characters.
std::optional<std::string> number_behind(const ElfFile& elf, std::string_view mark);

}  // namespace sigwhy::native
