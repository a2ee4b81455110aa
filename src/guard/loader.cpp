#include "guard/loader.h"

#include <link.h>

#include <cstring>

#include "guard/c_library.h"

extern "C" {
[[gnu::visibility("hidden")]] extern const Elf64_Ehdr __ehdr_start;
[[gnu::visibility("hidden")]] extern const Elf64_Dyn _DYNAMIC_of_ours[] asm("_DYNAMIC");
}

namespace sigwhy::guard {

namespace {

struct Tables {
  u64 names = 0, symbols = 0, gnu_hash = 0, relocations = 0, relocation_bytes = 0;
};

Tables tables_in(const Elf64_Dyn* at, u64 base) {
  Tables t;
  for (; at->d_tag != DT_NULL; ++at) {
    if (at->d_tag == DT_STRTAB) t.names = at->d_un.d_ptr;
    if (at->d_tag == DT_SYMTAB) t.symbols = at->d_un.d_ptr;
    if (at->d_tag == DT_GNU_HASH) t.gnu_hash = at->d_un.d_ptr;
    if (at->d_tag == DT_JMPREL) t.relocations = at->d_un.d_ptr;
    if (at->d_tag == DT_PLTRELSZ) t.relocation_bytes = at->d_un.d_val;
  }
  // Some loaders leave these as they stand in the file, and all do in the vdso.
  for (u64* place : {&t.names, &t.symbols, &t.gnu_hash, &t.relocations})
    if (*place && *place < base) *place += base;
  return t;
}

u32 gnu_hash_of(const char* name) {
  u32 hash = 5381;
  for (; *name; ++name) hash = hash * 33 + static_cast<u8>(*name);
  return hash;
}

bool is_function(const Elf64_Sym& symbol) {
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
}

// The chains of the hash table hold the hash of each symbol, its lowest bit saying that the chain ends.
u64 definition_in(const Tables& t, u64 base, const char* name) {
  if (!t.names || !t.symbols || !t.gnu_hash) return 0;
  const u32* words = reinterpret_cast<const u32*>(t.gnu_hash);
  const u32 bucket_count = words[0], first_symbol = words[1], bloom_words = words[2];
  if (!bucket_count) return 0;
  const u32* buckets = words + 4 + 2 * bloom_words;
  const u32* chains = buckets + bucket_count;
  const u32 hash = gnu_hash_of(name);
  u32 index = buckets[hash % bucket_count];
  if (index < first_symbol) return 0;
  for (;; ++index) {
    const u32 there = chains[index - first_symbol];
    const auto& symbol = reinterpret_cast<const Elf64_Sym*>(t.symbols)[index];
    if ((there | 1) == (hash | 1) && is_function(symbol) &&
        std::strcmp(reinterpret_cast<const char*>(t.names) + symbol.st_name, name) == 0)
      return base + symbol.st_value;
    if (there & 1) return 0;
  }
}

const Elf64_Dyn* dynamic_of(const dl_phdr_info& library) {
  for (int i = 0; i < library.dlpi_phnum; ++i)
    if (library.dlpi_phdr[i].p_type == PT_DYNAMIC)
      return reinterpret_cast<const Elf64_Dyn*>(library.dlpi_addr + library.dlpi_phdr[i].p_vaddr);
  return nullptr;
}

bool holds(const dl_phdr_info& library, u64 address) {
  for (int i = 0; i < library.dlpi_phnum; ++i) {
    const auto& part = library.dlpi_phdr[i];
    if (part.p_type == PT_LOAD && address - library.dlpi_addr - part.p_vaddr < part.p_memsz) return true;
  }
  return false;
}

struct Search {
  const char* symbol;
  bool passed_us = false;
  u64 found = 0;
  const Elf64_Dyn* found_in = nullptr;
};

int look_in(dl_phdr_info* library, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  const Elf64_Dyn* dynamic = dynamic_of(*library);
  if (dynamic == _DYNAMIC_of_ours) search.passed_us = true;
  else if (search.passed_us && dynamic)
    search.found = definition_in(tables_in(dynamic, library->dlpi_addr), library->dlpi_addr, search.symbol);
  if (search.found) search.found_in = dynamic;
  return search.found != 0;
}

struct Range {
  u64 start = 0, end = 0;
};

int look_for_c_library(dl_phdr_info* library, std::size_t, void* data) {
  if (!holds(*library, reinterpret_cast<u64>(&__libc_malloc))) return 0;
  auto& range = *static_cast<Range*>(data);
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    const auto& part = library->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const u64 start = library->dlpi_addr + part.p_vaddr;
    if (!range.start) range.start = start;
    range.end = start + part.p_memsz;
  }
  return 1;
}

}  // namespace

void* next_definition(const char* symbol) {
  Search search{.symbol = symbol};
  dl_iterate_phdr(look_in, &search);
  return reinterpret_cast<void*>(search.found);
}

bool come_together(const char* symbol, const char* other) {
  Search first{.symbol = symbol}, second{.symbol = other};
  dl_iterate_phdr(look_in, &first);
  dl_iterate_phdr(look_in, &second);
  return !first.found || first.found_in == second.found_in;
}

// The linker's answer to a plain call stands in our own relocations.
void* bound_function(const char* symbol) {
  const u64 base = reinterpret_cast<u64>(&__ehdr_start);
  const Tables t = tables_in(_DYNAMIC_of_ours, base);
  for (u64 at = 0; at < t.relocation_bytes; at += sizeof(Elf64_Rela)) {
    const auto& relocation = *reinterpret_cast<const Elf64_Rela*>(t.relocations + at);
    const auto& named = reinterpret_cast<const Elf64_Sym*>(t.symbols)[ELF64_R_SYM(relocation.r_info)];
    if (std::strcmp(reinterpret_cast<const char*>(t.names + named.st_name), symbol) == 0)
      return *reinterpret_cast<void**>(base + relocation.r_offset);
  }
  return nullptr;
}

bool is_in_c_library(const void* function) {
  static Range range;
  if (!range.end) dl_iterate_phdr(look_for_c_library, &range);
  return reinterpret_cast<u64>(function) - range.start < range.end - range.start;
}

}  // namespace sigwhy::guard
