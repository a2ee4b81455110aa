#include "native/symbol_table.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>

namespace sigwhy::native {

namespace {

constexpr std::size_t symbols_per_chunk = 16384;  // 384 KiB
// A label without a size (assembly) names what follows it, up to here.
constexpr std::uint64_t most_bytes_behind_label = 64 << 10;
constexpr std::size_t most_aliases = 8;

struct Alias {
  std::uint32_t name = 0;
  unsigned char binding = STB_LOCAL;
};

// What is known so far about one wanted address.
struct Candidate {
  std::uint64_t address = 0;
  std::uint64_t section = 0;  // index, 0: unknown
  std::uint64_t start = 0;
  bool sized = false;               // the symbol contains the address, by its size
  std::uint64_t nearest_start = 0;  // of any function at or before the address
  std::array<Alias, most_aliases> aliases;
  std::size_t alias_count = 0;

  void offer(const Elf64_Sym& s, bool contains) {
    if (alias_count > 0 && (sized > contains || (sized == contains && start > s.st_value))) return;
    if (alias_count == 0 || sized != contains || start != s.st_value) alias_count = 0;
    sized = contains;
    start = s.st_value;
    if (alias_count < most_aliases)
      aliases[alias_count++] = {s.st_name, static_cast<unsigned char>(ELF64_ST_BIND(s.st_info))};
  }
};

bool names_code(const Elf64_Sym& s) {
  const auto type = ELF64_ST_TYPE(s.st_info);
  return (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) && s.st_shndx != SHN_UNDEF &&
         s.st_shndx != SHN_ABS && s.st_name != 0;
}

class Pass {
 public:
  Pass(const ElfFile& elf, const std::vector<std::uint64_t>& addresses) {
    for (const auto address : addresses)
      candidates_.push_back({.address = address, .section = section_at(elf, address)});
    std::ranges::sort(candidates_, {}, &Candidate::address);
  }

  void see(const Elf64_Sym& s) {
    if (s.st_value > candidates_.back().address) return;
    const auto reach = std::max<std::uint64_t>(s.st_size, most_bytes_behind_label);
    if (candidates_.front().address - std::min(s.st_value, candidates_.front().address) >= reach || !names_code(s))
      return;
    auto c = std::ranges::lower_bound(candidates_, s.st_value, {}, &Candidate::address);
    for (; c != candidates_.end() && c->address - s.st_value < reach; ++c) {
      const bool contains = c->address - s.st_value < s.st_size;
      const bool is_label = s.st_size == 0 && s.st_shndx == c->section;
      if (s.st_size > 0) c->nearest_start = std::max(c->nearest_start, s.st_value);
      if (contains || is_label) c->offer(s, contains);
    }
  }

  const Candidate* result(std::uint64_t address) const {
    const auto c = std::ranges::lower_bound(candidates_, address, {}, &Candidate::address);
    // a label is no answer where another function lies between it and the address
    return c->alias_count == 0 || (!c->sized && c->nearest_start > c->start) ? nullptr : &*c;
  }

 private:
  static std::uint64_t section_at(const ElfFile& elf, std::uint64_t address) {
    for (const auto& s : elf.sections())
      if ((s.flags & SHF_ALLOC) && address >= s.address && address - s.address < s.bytes) return s.index;
    return 0;
  }

  std::vector<Candidate> candidates_;
};

// Of several names for one function the one a programmer would use: malloc, not __libc_malloc or __GI_malloc.
int awkwardness(std::string_view name, unsigned char binding) {
  const int reserved = name.starts_with("__") ? 4 : name.starts_with("_") && !name.starts_with("_Z") ? 3 : 0;
  return reserved + (binding == STB_GLOBAL ? 0 : binding == STB_LOCAL ? 1 : 2);
}

std::string best_name(const ElfFile& elf, const ElfSection& strings, const Candidate& c) {
  std::string best;
  int best_awkwardness = 0;
  for (const auto& alias : std::span(c.aliases).first(c.alias_count)) {
    auto name = elf.read_string(strings, alias.name);
    const auto value = awkwardness(name, alias.binding);
    if (name.empty() || (!best.empty() && value >= best_awkwardness)) continue;
    best = std::move(name);
    best_awkwardness = value;
  }
  return best;
}

}  // namespace

std::vector<std::optional<FoundSymbol>> find_symbols(const ElfFile& elf, const ElfSection& table,
                                                     const std::vector<std::uint64_t>& addresses) {
  std::vector<std::optional<FoundSymbol>> found(addresses.size());
  const auto* strings = elf.section(table.link);
  if (!strings || addresses.empty()) return found;
  Pass pass(elf, addresses);
  std::vector<Elf64_Sym> chunk(symbols_per_chunk);
  for (std::uint64_t at = 0; at < table.bytes;) {
    const auto most = std::min<std::uint64_t>(table.bytes - at, chunk.size() * sizeof(Elf64_Sym));
    const auto got = elf.read(table.offset + at, std::as_writable_bytes(std::span(chunk)).first(most));
    for (const auto& s : std::span(chunk).first(got / sizeof(Elf64_Sym))) pass.see(s);
    if (got < most) break;
    at += most;
  }
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto* c = pass.result(addresses[i]);
    if (!c) continue;
    if (auto name = best_name(elf, *strings, *c); !name.empty())
      found[i] = FoundSymbol{std::move(name), addresses[i] - c->start};
  }
  return found;
}

}  // namespace sigwhy::native
