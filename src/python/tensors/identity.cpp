#include "python/tensors/identity.h"

#include <elf.h>

#include <array>
#include <cstring>

namespace sigwhy::python {

namespace {

constexpr int most_segments = 64;
constexpr int most_dynamic = 96;
constexpr std::size_t most_notes = 4096;
constexpr std::size_t page = 4096;

struct Text {
  std::array<char, 80> bytes{};
  std::size_t size = 0;

  void add(std::string_view more) {
    for (const char c : more)
      if (size < bytes.size()) bytes[size++] = c;
  }
  void add_hex(unsigned value) {
    constexpr std::string_view digits = "0123456789abcdef";
    add(digits.substr(value >> 4 & 15, 1));
    add(digits.substr(value & 15, 1));
  }
  std::uint64_t hash() const { return identity_hash({bytes.data(), size}); }
};

struct Module {
  Address bias;
  std::array<Elf64_Phdr, most_segments> segments;
  int count = 0;
};

bool read_segments(const Memory& memory, Address base, Module& into) {
  const auto header = memory.read_value<Elf64_Ehdr>(base);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  std::optional<std::uint64_t> lowest;
  for (; into.count < header->e_phnum && into.count < most_segments; ++into.count) {
    const auto segment = memory.read_value<Elf64_Phdr>(base + header->e_phoff + into.count * sizeof(Elf64_Phdr));
    if (!segment) return false;
    into.segments[into.count] = *segment;
    if (segment->p_type == PT_LOAD && (!lowest || segment->p_vaddr < *lowest)) lowest = segment->p_vaddr;
  }
  if (!lowest) return false;
  into.bias = base - (*lowest & ~std::uint64_t{page - 1});
  return true;
}

// The build-id among the notes of one segment, as text.
bool add_build_id(const Memory& memory, Address at, std::uint64_t size, Text& into) {
  std::array<std::byte, most_notes> notes;
  const auto got = memory.read(at, std::span(notes).first(std::min<std::uint64_t>(size, most_notes)));
  for (std::size_t from = 0; from + sizeof(Elf64_Nhdr) <= got;) {
    Elf64_Nhdr note;
    std::memcpy(&note, notes.data() + from, sizeof note);
    if (note.n_namesz > most_notes || note.n_descsz > most_notes) return false;
    const auto content = from + sizeof note + ((note.n_namesz + 3) & ~3u);
    const auto end = content + ((note.n_descsz + 3) & ~3u);
    if (end > got) return false;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        std::memcmp(notes.data() + from + sizeof note, "GNU", 4) == 0) {
      for (std::size_t i = 0; i < note.n_descsz; ++i) into.add_hex(std::to_integer<unsigned>(notes[content + i]));
      return note.n_descsz > 0;
    }
    from = end;
  }
  return false;
}

void hash_page(const Memory& memory, Address at, std::uint64_t& value) {
  std::array<std::byte, page> bytes;
  const auto got = memory.read(at, bytes);
  for (std::size_t i = 0; i < got; ++i) value = hashed(value, std::to_integer<unsigned char>(bytes[i]));
}

// The loader relocates these pointers in most modules, but not in those with a read-only dynamic section.
Address relocated(Address bias, std::uint64_t value) { return value < bias.value ? bias + value : Address{value}; }

std::uint64_t fingerprint(const Memory& memory, Address base, const Module& module) {
  Address names, symbols;
  for (int s = 0; s < module.count; ++s)
    for (int i = 0; module.segments[s].p_type == PT_DYNAMIC && i < most_dynamic; ++i) {
      const auto entry = memory.read_value<Elf64_Dyn>(module.bias + module.segments[s].p_vaddr + i * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_GNU_HASH) names = relocated(module.bias, entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) symbols = relocated(module.bias, entry->d_un.d_ptr);
    }
  std::uint64_t value = hash_seed;
  for (const Address at : {base, names, symbols})
    if (at.value) hash_page(memory, at, value);
  return value;
}

}  // namespace

std::optional<std::uint64_t> identity_of(const Memory& memory, Address base) {
  Module module;
  if (!read_segments(memory, base, module)) return std::nullopt;
  Text text;
  text.add("build-id:");
  for (int i = 0; i < module.count; ++i) {
    const auto& segment = module.segments[i];
    if (segment.p_type == PT_NOTE && add_build_id(memory, module.bias + segment.p_vaddr, segment.p_memsz, text))
      return text.hash();
  }
  Text print;
  print.add("fingerprint:");
  const auto value = fingerprint(memory, base, module);
  for (int shift = 56; shift >= 0; shift -= 8) print.add_hex(static_cast<unsigned>(value >> shift & 0xff));
  return print.hash();
}

}  // namespace sigwhy::python
