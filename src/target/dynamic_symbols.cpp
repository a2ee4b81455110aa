// The GNU hash table: [buckets, symbol offset, bloom words, shift] bloom[] bucket[] chain[]. A bucket names the
// first symbol of a chain; chain values are hashes whose lowest bit marks the end.
#include "target/dynamic_symbols.h"

#include <array>

namespace sigwhy {

namespace {

constexpr int most_chain = 4096;
constexpr int most_segments = 64;
constexpr int most_dynamic = 96;

std::uint32_t gnu_hash(std::string_view name) {
  std::uint32_t h = 5381;
  for (const char c : name) h = h * 33 + static_cast<unsigned char>(c);
  return h;
}

// The loader relocates these pointers in most modules, but not in those with a read-only dynamic section.
Address relocated(Address base, std::uint64_t value) { return value < base.value ? base + value : Address{value}; }

std::optional<Address> dynamic_section(const Memory& memory, Address base, Address& bias) {
  const auto header = memory.read_value<Elf64_Ehdr>(base);
  if (!header || header->e_ident[0] != ELFMAG0 || header->e_ident[EI_CLASS] != ELFCLASS64) return std::nullopt;
  std::optional<std::uint64_t> first_load, dynamic;
  for (int i = 0; i < header->e_phnum && i < most_segments; ++i) {
    const auto segment = memory.read_value<Elf64_Phdr>(base + header->e_phoff + i * sizeof(Elf64_Phdr));
    if (!segment) return std::nullopt;
    if (segment->p_type == PT_LOAD && !first_load) first_load = segment->p_vaddr;
    if (segment->p_type == PT_DYNAMIC) dynamic = segment->p_vaddr;
  }
  if (!first_load || !dynamic) return std::nullopt;
  bias = base - (*first_load & ~std::uint64_t{4095});
  return bias + *dynamic;
}

std::optional<SymbolTables> tables(const Memory& memory, Address base, Address& bias) {
  const auto section = dynamic_section(memory, base, bias);
  if (!section) return std::nullopt;
  SymbolTables found;
  for (int i = 0; i < most_dynamic; ++i) {
    const auto entry = memory.read_value<Elf64_Dyn>(*section + i * sizeof(Elf64_Dyn));
    if (!entry || entry->d_tag == DT_NULL) break;
    if (entry->d_tag == DT_GNU_HASH) found.hash = relocated(bias, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SYMTAB) found.symbols = relocated(bias, entry->d_un.d_ptr);
    if (entry->d_tag == DT_STRTAB) found.strings = relocated(bias, entry->d_un.d_ptr);
  }
  if (!found.hash.value || !found.symbols.value || !found.strings.value) return std::nullopt;
  return found;
}

bool same_name(const Memory& memory, Address at, std::string_view name) {
  std::array<char, 256> buffer{};
  if (name.size() >= buffer.size()) return false;
  const auto got = memory.read(at, std::as_writable_bytes(std::span(buffer.data(), name.size() + 1)));
  return got == name.size() + 1 && std::string_view(buffer.data()) == name;
}

// One bit of each of two hashes in the filter's word: most names that a module does not export end here.
bool may_be_there(const Memory& memory, Address filter, std::uint32_t words, std::uint32_t shift, std::uint32_t hash) {
  if (words == 0) return true;
  const auto word = memory.read_value<std::uint64_t>(filter + std::uint64_t{(hash / 64) % words} * 8);
  return word && ((*word >> (hash % 64)) & (*word >> ((hash >> (shift & 31)) % 64)) & 1);
}

}  // namespace

std::optional<FoundSymbol> find_symbol(const Memory& memory, const SymbolTables& t, std::string_view name) {
  const auto head = memory.read_value<std::array<std::uint32_t, 4>>(t.hash);
  if (!head || (*head)[0] == 0) return std::nullopt;
  const auto [buckets, symbol_offset, bloom_words, shift] = *head;
  const auto wanted = gnu_hash(name);
  if (!may_be_there(memory, t.hash + 16, bloom_words, shift, wanted)) return std::nullopt;
  const Address bucket_table = t.hash + 16 + std::uint64_t{bloom_words} * 8;
  const Address chain_table = bucket_table + std::uint64_t{buckets} * 4;
  auto index = memory.read_value<std::uint32_t>(bucket_table + std::uint64_t{wanted % buckets} * 4);
  if (!index || *index < symbol_offset) return std::nullopt;
  for (int step = 0; step < most_chain; ++step, ++*index) {
    const auto hash = memory.read_value<std::uint32_t>(chain_table + std::uint64_t{*index - symbol_offset} * 4);
    if (!hash) return std::nullopt;
    if ((*hash | 1) == (wanted | 1)) {
      const auto symbol = memory.read_value<Elf64_Sym>(t.symbols + std::uint64_t{*index} * sizeof(Elf64_Sym));
      if (symbol && symbol->st_shndx != SHN_UNDEF && same_name(memory, t.strings + symbol->st_name, name))
        return FoundSymbol{*index, *symbol};
    }
    if (*hash & 1) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Address> dynamic_symbol(const Memory& memory, Address base, std::string_view name) {
  Address bias;
  const auto t = tables(memory, base, bias);
  const auto found = t ? find_symbol(memory, *t, name) : std::nullopt;
  if (!found) return std::nullopt;
  return bias + found->symbol.st_value;
}

}  // namespace sigwhy
