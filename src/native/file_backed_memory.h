// Memory of a target plus what its files hold: code and constants are mapped read-only from files, so a grab need
// not copy them. Only mappings that are not writable are answered, only from the file that was really mapped, and
// never from parts that the loader relocated.
#pragma once
#include <map>

#include "native/elf_file.h"
#include "native/mapped_file.h"
#include "target/target.h"

namespace sigwhy::native {

class FileBackedMemory final : public Memory {
 public:
  explicit FileBackedMemory(const Target& target) : target_(target) {}
  std::size_t read(Address from, std::span<std::byte> into) const override;

 private:
  std::size_t read_file(Address from, std::span<std::byte> into) const;
  struct File {
    OwnedFd fd;  // empty: looked, cannot be used
    std::vector<ElfFile::Range> relocated;
  };
  const File& file_of(const Mapping& mapping) const;

  const Target& target_;
  mutable std::map<std::string, File> files_;
};

}  // namespace sigwhy::native
