#include "native/dynamic_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "native/texts_clean.h"

namespace sigwhy::native {

namespace {

constexpr std::size_t most_entries = 1024;
constexpr std::size_t most_versions = 512;
constexpr std::uint64_t most_version_bytes = 1u << 16;
constexpr std::uint64_t most_slot_bytes = 3u << 20;
constexpr std::uint64_t most_constants = 4u << 20;
constexpr std::uint64_t most_hash_bytes = 64u << 10;
constexpr std::size_t most_text = 64;
constexpr std::uint16_t version_mask = 0x7fff;

template <class T>
std::vector<T> records(const ElfFile& elf, const ElfSection& section, std::uint64_t most_bytes) {
  std::vector<T> all(std::min(section.bytes, most_bytes) / sizeof(T));
  all.resize(elf.read(section.offset, std::as_writable_bytes(std::span(all))) / sizeof(T));
  return all;
}

std::string bytes_of(const ElfFile& elf, const ElfSection& section, std::uint64_t most_bytes) {
  std::string all(std::min(section.bytes, most_bytes), '\0');
  all.resize(elf.read(section.offset, std::as_writable_bytes(std::span(all))));
  return all;
}

template <class T>
std::optional<T> record_at(std::string_view bytes, std::uint64_t at) {
  T value;
  if (at > bytes.size() || bytes.size() - at < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

struct VersionRecord {
  std::uint16_t index = 0;
  std::uint32_t name = 0;
};

// A chain of records with offsets to the next; the first is the file's own name.
std::vector<VersionRecord> offered_versions(std::string_view bytes) {
  std::vector<VersionRecord> all;
  for (std::uint64_t at = 0; all.size() < most_versions;) {
    const auto entry = record_at<Elf64_Verdef>(bytes, at);
    const auto name = entry ? record_at<Elf64_Verdaux>(bytes, at + entry->vd_aux) : std::nullopt;
    if (!name) break;
    if (!(entry->vd_flags & VER_FLG_BASE)) all.push_back({entry->vd_ndx, name->vda_name});
    if (!entry->vd_next) break;
    at += entry->vd_next;
  }
  return all;
}

// For each file that is needed such a chain, one inside the other.
std::vector<VersionRecord> needed_versions(std::string_view bytes) {
  std::vector<VersionRecord> all;
  for (std::uint64_t at = 0; all.size() < most_versions;) {
    const auto file = record_at<Elf64_Verneed>(bytes, at);
    if (!file) break;
    auto inner = at + file->vn_aux;
    for (int i = 0; i < file->vn_cnt && all.size() < most_versions; ++i) {
      const auto entry = record_at<Elf64_Vernaux>(bytes, inner);
      if (!entry) break;
      all.push_back({static_cast<std::uint16_t>(entry->vna_other & version_mask), entry->vna_name});
      inner += entry->vna_next;
    }
    if (!file->vn_next) break;
    at += file->vn_next;
  }
  return all;
}

}  // namespace

std::size_t FileBytes::read(Address from, std::span<std::byte> into) const {
  const auto at = from.value - start_;
  if (from.value >= start_ && at < near_.size() && into.size() <= near_.size() - at) {
    std::memcpy(into.data(), near_.data() + at, into.size());
    return into.size();
  }
  return elf_->read(from.value, into);
}

std::optional<DynamicTable> DynamicTable::of(const ElfFile& elf) {
  const auto* dynamic = elf.section_of_type(SHT_DYNAMIC);
  const auto* strings = dynamic ? elf.section(dynamic->link) : nullptr;
  if (!strings) return std::nullopt;
  DynamicTable table(elf);
  table.read_entries(*dynamic, *strings);
  table.symbols_ = elf.section_of_type(SHT_DYNSYM);
  table.strings_ = table.symbols_ ? elf.section(table.symbols_->link) : nullptr;
  const auto* hash = elf.section_of_type(SHT_GNU_HASH);
  if (hash && table.strings_) {
    table.tables_ = {Address{hash->offset}, Address{table.symbols_->offset}, Address{table.strings_->offset}};
    table.bytes_ = FileBytes(elf, hash->offset, bytes_of(elf, *hash, most_hash_bytes));
  }
  return table;
}

void DynamicTable::read_entries(const ElfSection& dynamic, const ElfSection& strings) {
  for (const auto& entry : records<Elf64_Dyn>(*elf_, dynamic, most_entries * sizeof(Elf64_Dyn))) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_SONAME) soname_ = elf_->read_string(strings, entry.d_un.d_val);
    if (entry.d_tag == DT_NEEDED) needed_.push_back(elf_->read_string(strings, entry.d_un.d_val));
    if (entry.d_tag == DT_SYMBOLIC || (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_SYMBOLIC))) symbolic_ = true;
  }
}

std::optional<FoundSymbol> DynamicTable::find_index(std::string_view name) const {
  return tables_ ? find_symbol(*bytes_, *tables_, name) : std::nullopt;
}

std::optional<Definition> DynamicTable::find(std::string_view name) const {
  const auto found = find_index(name);
  if (!found) return std::nullopt;
  const auto visibility = ELF64_ST_VISIBILITY(found->symbol.st_other);
  if (visibility != STV_DEFAULT && visibility != STV_PROTECTED) return std::nullopt;
  const auto version = version_index(found->index);
  return Definition{.address = found->symbol.st_value,
                    .version = version_name(version),
                    .default_version = version <= version_mask};
}

std::uint16_t DynamicTable::version_index(std::uint64_t symbol) const {
  const auto* section = elf_->section_of_type(SHT_GNU_versym);
  std::uint16_t index = VER_NDX_GLOBAL;
  if (!section || symbol >= section->bytes / sizeof index) return index;
  elf_->read(section->offset + symbol * sizeof index, std::as_writable_bytes(std::span(&index, 1)));
  return index;
}

std::string DynamicTable::version_name(std::uint16_t index) const {
  read_versions();
  const auto found = std::ranges::find(version_names_, index & version_mask, [](const auto& v) { return v.first; });
  return found == version_names_.end() ? "" : found->second;
}

void DynamicTable::read_versions() const {
  if (std::exchange(versions_read_, true) || !strings_) return;
  const auto add = [&](std::uint32_t type, auto read) {
    const auto* section = elf_->section_of_type(type);
    if (!section) return;
    for (const auto& version : read(bytes_of(*elf_, *section, most_version_bytes)))
      version_names_.emplace_back(version.index, elf_->read_string(*strings_, version.name));
  };
  add(SHT_GNU_verdef, offered_versions);
  offered_ = version_names_.size();
  add(SHT_GNU_verneed, needed_versions);
}

std::vector<std::string> DynamicTable::versions() const {
  read_versions();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < offered_; ++i) names.push_back(version_names_[i].second);
  return names;
}

std::optional<std::vector<CallSlot>> DynamicTable::call_slots(
    const std::function<bool(std::string_view)>& wanted) const {
  std::vector<CallSlot> slots;
  const auto* section = elf_->section_named(".rela.plt");
  if (!section || !symbols_ || !strings_) return slots;
  if (section->bytes > most_slot_bytes) return std::nullopt;
  for (const auto& slot : records<Elf64_Rela>(*elf_, *section, most_slot_bytes)) {
    const auto index = ELF64_R_SYM(slot.r_info);
    Elf64_Sym symbol{};
    if (index == 0 || index >= symbols_->bytes / sizeof symbol) continue;
    elf_->read(symbols_->offset + index * sizeof symbol, std::as_writable_bytes(std::span(&symbol, 1)));
    auto name = elf_->read_string(*strings_, symbol.st_name);
    if (!wanted(name)) continue;
    slots.push_back({.address = slot.r_offset,
                     .symbol = std::move(name),
                     .version = version_name(version_index(index)),
                     .defined_here = symbol.st_shndx != SHN_UNDEF});
  }
  return slots;
}

std::optional<std::string> number_behind(const ElfFile& elf, std::string_view mark) {
  for (const char* name : {".rodata", ".data"}) {
    const auto* section = elf.section_named(name);
    if (!section) continue;
    const auto bytes = bytes_of(elf, *section, most_constants);
    for (auto at = bytes.find(mark); at != std::string::npos; at = bytes.find(mark, at + 1)) {
      auto text = bytes.substr(at + mark.size(), most_text);
      if (text.empty() || text[0] < '0' || text[0] > '9') continue;
      text.resize(static_cast<std::size_t>(
          std::ranges::find_if(text, [](char c) { return !is_printable(c); }) - text.begin()));
      return text;
    }
  }
  return std::nullopt;
}

}  // namespace sigwhy::native
