#include "diagnose/gpu_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "diagnose/array_words.h"
#include "diagnose/gpu_error.h"
#include "diagnose/memory_request.h"
#include "diagnose/phrases.h"

namespace sigwhy::diagnose {

namespace {

constexpr std::size_t most_text = 4096;  // of a message; JAX appends a table of buffers
// The driver and the context of each process take some memory that no process is charged for.
constexpr std::uint64_t overhead_bytes = 1ull << 30;

struct Unit {
  std::string_view name;
  double bytes;
};
constexpr std::array units = {Unit{"bytes", 1},     Unit{"byte", 1},         Unit{"KiB", 1024},
                              Unit{"MiB", 1048576}, Unit{"GiB", 1073741824}, Unit{"TiB", 1099511627776}};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "8.00 GiB", "37.25GiB", "80,000,000,000 bytes"
std::optional<ToldSize> size_at(std::string_view text, std::size_t& at) {
  std::string number;
  while (at < text.size() && (is_digit(text[at]) || text[at] == '.' || text[at] == ',')) {
    if (text[at] != ',') number += text[at];
    ++at;
  }
  double value = 0;
  const auto done = std::from_chars(number.data(), number.data() + number.size(), value);
  if (done.ec != std::errc()) return std::nullopt;
  auto rest = text.substr(at);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const auto unit = std::ranges::find_if(units, [&](const Unit& u) { return rest.starts_with(u.name); });
  if (unit == units.end() || value * unit->bytes >= 1e18) return std::nullopt;
  const auto bytes = static_cast<std::uint64_t>(value * unit->bytes);
  return ToldSize{bytes, unit->bytes == 1 ? bytes_text(bytes) : fmt::format("{} {}", number, unit->name)};
}

std::optional<ToldSize> size_in(std::string_view clause) {
  for (std::size_t at = 0; at < clause.size();) {
    if (!is_digit(clause[at])) ++at;
    else if (auto size = size_at(clause, at)) return size;
  }
  return std::nullopt;
}

std::vector<std::string_view> clauses_of(std::string_view text) {
  constexpr std::array<std::string_view, 6> ends = {". ", "; ", ", ", " (", ") ", " of which "};
  std::vector<std::string_view> clauses;
  while (!text.empty()) {
    std::size_t end = text.find('\n'), skip = 1;
    for (const auto mark : ends)
      if (const auto at = text.find(mark); at < end) end = at, skip = mark.size();
    clauses.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + skip);
  }
  return clauses;
}

// What the clause says its size is. Newer wordings say "this process has", older ones only what the library holds.
std::optional<ToldSize>* meant_by(std::string_view clause, GpuMemory& m) {
  if (has_any(clause, {"private pool"})) return nullptr;
  if (has_any(clause, {"unallocated", "cached"})) return &m.idle;
  if (has_any(clause, {"free"})) return &m.free;
  if (has_any(clause, {"total capac", "capacity"})) return &m.capacity;
  if (has_any(clause, {"this process has"})) return &m.mine;
  if (has_any(clause, {"allowed", "limit set to"})) return &m.limit;
  if (has_any(clause, {"already allocated", "is allocated", "allocated so far"})) return &m.allocated;
  if (has_any(clause, {"allocate ", "allocating "})) return &m.asked;
  return nullptr;
}

// Torch 1.4 to 2.0 tell all that is reserved, what is given out included; before, "cached" was the rest alone.
bool is_reserve(std::string_view clause) { return has_any(clause, {"reserved in total"}); }

void add_elsewhere(GpuMemory& m) {
  if (!m.capacity || !m.free || m.free->bytes > m.capacity->bytes) return;
  const auto used = m.capacity->bytes - m.free->bytes;
  const auto own = m.mine ? m.mine->bytes : (m.allocated ? m.allocated->bytes : 0) + (m.idle ? m.idle->bytes : 0);
  if (used > own + overhead_bytes && (m.mine || m.allocated)) m.elsewhere_bytes = used - own;
}

}  // namespace

GpuMemory gpu_memory(const PyException& e) {
  GpuMemory m;
  for (const auto clause : clauses_of(std::string_view(e.message).substr(0, most_text))) {
    auto size = size_in(clause);
    if (!size) continue;
    if (is_reserve(clause)) {
      const auto given = m.allocated ? m.allocated->bytes : 0;
      if (size->bytes >= given) m.idle = ToldSize{size->bytes - given, bytes_text(size->bytes - given)};
    } else if (auto* meant = meant_by(clause, m); meant && !*meant) {
      *meant = std::move(size);
    }
  }
  if (!m.asked) {
    MemoryRequest array;
    add_told_array(e, array);
    if (array.bytes) m.asked = ToldSize{*array.bytes, bytes_text(*array.bytes)}, m.what = array.what;
  }
  add_elsewhere(m);
  return m;
}

GpuHolders gpu_holders(const Facts& f) {
  std::map<std::string, GpuHolder> holders;
  std::set<std::uint64_t> seen;
  GpuHolders out;
  for (std::size_t i = 0; i < f.snapshot.arrays.size(); ++i) {
    const auto& array = f.snapshot.arrays[i];
    if (!is_on_gpu(array) || array.name.empty() || array.owns_memory == false) continue;
    if (array.object.value && !seen.insert(array.object.value).second) continue;
    auto& holder = holders[array.name.substr(0, array.name.find('['))];
    ++holder.count;
    holder.bytes += array.bytes;
    holder.evidence.push_back(ref(fmt::format("/arrays/{}", i)));
    out.bytes += array.bytes;
  }
  for (auto& [name, holder] : holders) {
    holder.name = name;
    if (!out.largest || holder.bytes > out.largest->bytes) out.largest = holder;
    const bool numbers = holder.count > 1 && holder.bytes / holder.count <= 8;
    if (numbers && (!out.numbers || holder.count > out.numbers->count)) out.numbers = holder;
  }
  return out;
}

}  // namespace sigwhy::diagnose
