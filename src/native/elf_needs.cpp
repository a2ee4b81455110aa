#include "native/elf_needs.h"

#include <fcntl.h>

#include <algorithm>
#include <cstring>

#include "base/byte_reader.h"
#include "native/elf_file.h"

namespace sigwhy::native {

namespace {

constexpr std::uint64_t most_table_bytes = 1 << 20;
constexpr std::size_t most_entries = 10'000;

std::vector<std::byte> section_bytes(const ElfFile& file, const ElfSection& section, std::uint64_t most) {
  std::vector<std::byte> bytes(std::min(section.bytes, most));
  bytes.resize(file.read(section.offset, bytes));
  return bytes;
}

void read_dynamic(const ElfFile& file, ElfNeeds& needs) {
  const auto* dynamic = file.section_of_type(SHT_DYNAMIC);
  const auto* strings = dynamic ? file.section(dynamic->link) : nullptr;
  if (!strings) return;
  const auto bytes = section_bytes(file, *dynamic, most_table_bytes);
  ByteReader in(bytes);
  while (in.left() >= sizeof(Elf64_Dyn)) {
    const auto entry = in.read<Elf64_Dyn>();
    if (entry.d_tag == DT_NULL) return;
    const auto text = [&] { return file.read_string(*strings, entry.d_un.d_val); };
    if (entry.d_tag == DT_NEEDED && needs.needed.size() < most_entries) needs.needed.push_back(text());
    if (entry.d_tag == DT_SONAME) needs.soname = text();
    if (entry.d_tag == DT_RPATH) needs.rpath = text();
    if (entry.d_tag == DT_RUNPATH) needs.runpath = text();
  }
}

// Needs and definitions of versions are lists of the same make: a section whose entries each say how far it is to the
// next one. `read` is given where one begins, and says that distance; 0: it was the last, or is damaged.
template <class Read> void walk_versions(const ElfFile& file, unsigned type, Read read) {
  const auto* section = file.section_of_type(type);
  const auto* strings = section ? file.section(section->link) : nullptr;
  if (!strings) return;
  const auto bytes = section_bytes(file, *section, most_table_bytes);
  ByteReader in(bytes);
  std::size_t at = 0;
  for (std::size_t i = 0; i < most_entries; ++i) {
    in.seek(at);
    const std::size_t next = read(in, at, *strings);
    if (next == 0 || in.failed()) return;
    at += next;
  }
}

void read_version_needs(const ElfFile& file, ElfNeeds& needs) {
  walk_versions(file, SHT_GNU_verneed, [&](ByteReader& in, std::size_t at, const ElfSection& strings) -> std::size_t {
    const auto one = in.read<Elf64_Verneed>();
    if (in.failed()) return 0;
    const auto library = file.read_string(strings, one.vn_file);
    std::size_t part = at + one.vn_aux;
    for (int k = 0; k < one.vn_cnt && needs.versions.size() < most_entries; ++k) {
      in.seek(part);
      const auto version = in.read<Elf64_Vernaux>();
      if (in.failed()) return 0;
      needs.versions.push_back({library, file.read_string(strings, version.vna_name), (version.vna_flags & VER_FLG_WEAK) != 0});
      part += version.vna_next;
    }
    return one.vn_next;
  });
}

void read_version_definitions(const ElfFile& file, ElfNeeds& needs) {
  walk_versions(file, SHT_GNU_verdef, [&](ByteReader& in, std::size_t at, const ElfSection& strings) -> std::size_t {
    const auto one = in.read<Elf64_Verdef>();
    in.seek(at + one.vd_aux);
    const auto name = in.read<Elf64_Verdaux>();
    if (in.failed()) return 0;
    needs.defines.push_back(file.read_string(strings, name.vda_name));
    return one.vd_next;
  });
}

// A note of type NT_GNU_PROPERTY_TYPE_0 holds {type, bytes, data padded to 8}.
void read_properties(const ElfFile& file, ElfNeeds& needs) {
  constexpr std::uint32_t isa_1_needed = 0xc0008002;
  const auto* section = file.section_named(".note.gnu.property");
  if (!section) return;
  const auto bytes = section_bytes(file, *section, 4096);
  ByteReader in(bytes);
  const auto note = in.read<Elf64_Nhdr>();
  in.take((note.n_namesz + 3) / 4 * 4);
  while (in.left() >= 8) {
    const auto type = in.read<std::uint32_t>(), size = in.read<std::uint32_t>();
    const auto data = in.take((size + 7) / 8 * 8);
    if (in.failed()) return;
    if (type == isa_1_needed && data.size() >= 4) std::memcpy(&needs.isa_needed, data.data(), 4);
  }
}

std::optional<ElfFile> open_elf(const std::string& path) {
  OwnedFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) return std::nullopt;
  return ElfFile::open(std::move(fd));
}

std::optional<std::string> read_only_data(const std::string& path, std::uint64_t most_bytes) {
  const auto file = open_elf(path);
  const auto* section = file ? file->section_named(".rodata") : nullptr;
  if (!section || section->bytes > most_bytes) return std::nullopt;
  std::string bytes(section->bytes, '\0');
  bytes.resize(file->read(section->offset, std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

}  // namespace

std::optional<ElfNeeds> elf_needs(const std::string& path) {
  const auto file = open_elf(path);
  if (!file) return std::nullopt;
  ElfNeeds needs;
  read_dynamic(*file, needs);
  read_version_needs(*file, needs);
  read_version_definitions(*file, needs);
  read_properties(*file, needs);
  if (const auto* section = file->section_named(".interp")) needs.interpreter = file->read_string(*section, 0);
  return needs;
}

std::optional<std::string> text_behind(const std::string& path, std::string_view text, char end, std::uint64_t most_bytes) {
  const auto bytes = read_only_data(path, most_bytes);
  if (!bytes) return std::nullopt;
  const auto at = bytes->find(text);
  if (at == bytes->npos) return std::nullopt;
  const auto from = at + text.size();
  const auto to = bytes->find(end, from);
  if (to == bytes->npos || to - from > 4096) return std::nullopt;
  return bytes->substr(from, to - from);
}

std::optional<std::vector<bool>> has_texts(const std::string& path, const std::vector<std::string_view>& texts, std::uint64_t most_bytes) {
  const auto bytes = read_only_data(path, most_bytes);
  if (!bytes) return std::nullopt;
  std::vector<bool> has;
  for (const auto text : texts) has.push_back(bytes->find(text) != bytes->npos);
  return has;
}

}  // namespace sigwhy::native
