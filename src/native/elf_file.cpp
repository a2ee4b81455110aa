#include "native/elf_file.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace sigwhy::native {

namespace {
constexpr std::size_t most_build_id_bytes = 64;
constexpr std::size_t most_name_bytes = 16 << 10;
}  // namespace

std::string hex(std::span<const std::byte> bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const auto b : bytes) {
    text += digits[std::to_integer<unsigned>(b) >> 4];
    text += digits[std::to_integer<unsigned>(b) & 15];
  }
  return text;
}

std::optional<ElfFile> ElfFile::open(OwnedFd fd) {
  elf_version(EV_CURRENT);
  ElfFile file;
  file.fd_ = std::move(fd);
  file.elf_.reset(elf_begin(file.fd_.get(), ELF_C_READ, nullptr));
  if (!file.load()) return std::nullopt;
  return file;
}

std::optional<ElfFile> ElfFile::from_bytes(std::vector<std::byte> bytes) {
  elf_version(EV_CURRENT);
  ElfFile file;
  file.bytes_ = std::move(bytes);
  file.elf_.reset(elf_memory(reinterpret_cast<char*>(file.bytes_.data()), file.bytes_.size()));
  if (!file.load()) return std::nullopt;
  return file;
}

bool ElfFile::load() {
  if (!elf_ || elf_kind(elf_.get()) != ELF_K_ELF || gelf_getclass(elf_.get()) != ELFCLASS64) return false;
  GElf_Ehdr header;
  if (!gelf_getehdr(elf_.get(), &header) || header.e_machine != EM_X86_64) return false;
  load_sections();
  return true;
}

void ElfFile::load_sections() {
  std::size_t names = 0;
  if (elf_getshdrstrndx(elf_.get(), &names) != 0) return;
  for (Elf_Scn* scn = nullptr; (scn = elf_nextscn(elf_.get(), scn));) {
    GElf_Shdr header;
    if (!gelf_getshdr(scn, &header)) continue;
    const char* name = elf_strptr(elf_.get(), names, header.sh_name);
    sections_.push_back({.index = elf_ndxscn(scn),
                         .name = name ? name : "",
                         .type = header.sh_type,
                         .flags = header.sh_flags,
                         .address = header.sh_addr,
                         .offset = header.sh_offset,
                         .bytes = header.sh_size,
                         .link = header.sh_link});
  }
}

std::optional<std::string> ElfFile::build_id() const {
  const void* id = nullptr;
  const auto bytes = dwelf_elf_gnu_build_id(elf_.get(), &id);
  if (bytes <= 0 || static_cast<std::size_t>(bytes) > most_build_id_bytes) return std::nullopt;
  return hex({static_cast<const std::byte*>(id), static_cast<std::size_t>(bytes)});
}

std::vector<GElf_Phdr> ElfFile::load_segments() const {
  std::vector<GElf_Phdr> segments;
  std::size_t count = 0;
  if (elf_getphdrnum(elf_.get(), &count) != 0) return segments;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr p;
    if (gelf_getphdr(elf_.get(), static_cast<int>(i), &p) && p.p_type == PT_LOAD) segments.push_back(p);
  }
  return segments;
}

std::optional<std::uint64_t> ElfFile::address_of_offset(std::uint64_t file_offset) const {
  for (const auto& p : load_segments())
    if (file_offset >= p.p_offset && file_offset - p.p_offset < p.p_filesz)
      return p.p_vaddr + (file_offset - p.p_offset);
  return std::nullopt;
}

std::vector<ElfFile::Range> ElfFile::relocated_ranges() const {
  std::vector<Range> ranges;
  for (const auto& p : load_segments())
    if (p.p_flags & PF_W) ranges.push_back({p.p_offset, p.p_offset + p.p_filesz});
  return ranges;
}

const ElfSection* ElfFile::section(std::uint64_t index) const {
  const auto found = std::ranges::find(sections_, index, &ElfSection::index);
  return found == sections_.end() ? nullptr : &*found;
}

const ElfSection* ElfFile::section_of_type(std::uint32_t type) const {
  const auto found = std::ranges::find(sections_, type, &ElfSection::type);
  return found == sections_.end() ? nullptr : &*found;
}

const ElfSection* ElfFile::section_named(std::string_view name) const {
  const auto found = std::ranges::find(sections_, name, &ElfSection::name);
  return found == sections_.end() ? nullptr : &*found;
}

std::string ElfFile::read_string(const ElfSection& strings, std::uint64_t index) const {
  std::string name;
  if (index >= strings.bytes) return name;
  for (std::size_t most = 256; most <= most_name_bytes; most *= 4) {
    name.resize(std::min<std::uint64_t>(most, strings.bytes - index));
    name.resize(read(strings.offset + index, std::as_writable_bytes(std::span(name))));
    if (const auto end = name.find('\0'); end != std::string::npos) {
      name.resize(end);
      break;
    }
  }
  if (const auto version = name.find('@'); version != std::string::npos && version > 0) name.resize(version);
  return name;
}

OwnedFd ElfFile::duplicate_fd() const { return OwnedFd(fd_ ? fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0) : -1); }

std::size_t ElfFile::read(std::uint64_t offset, std::span<std::byte> into) const {
  if (!fd_) {
    if (offset >= bytes_.size()) return 0;
    const auto part = std::min(into.size(), bytes_.size() - offset);
    std::memcpy(into.data(), bytes_.data() + offset, part);
    return part;
  }
  std::size_t done = 0;
  while (done < into.size()) {
    const auto got = pread(fd_.get(), into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace sigwhy::native
