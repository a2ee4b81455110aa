#include "capture/grab_guard_sites.h"

#include <algorithm>

namespace sigwhy::capture {

namespace {

// What of a context tells calls apart: its beginning, up to the innermost Python frame.
struct ContextHead {
  std::uint64_t id, pc, sp, bp, bx, r12, r13, r14, r15;
  std::uint64_t unloaded_count;
  std::uint32_t tid;
  std::uint16_t python_count, stack_bytes;
  guard::PythonFrame python;
};
static_assert(sizeof(ContextHead) == offsetof(guard::Context, python) + sizeof(guard::PythonFrame));

}  // namespace

// Static: a grab has little stack, and one runs at a time.
std::array<SiteTable::Site, SiteTable::capacity> SiteTable::sites_;

SiteTable::SiteTable(const Memory& memory, const guard::Header& header) : memory_(memory), header_(header) {}

SiteTable::Site* SiteTable::site_of(std::uint64_t context) {
  if (!context || !header_.context_capacity || ++read_ > most_read) return nullptr;
  const Address at{header_.contexts + context % header_.context_capacity * sizeof(guard::Context)};
  const auto head = memory_.read_value<ContextHead>(at);
  if (!head || head->id != context) return nullptr;
  Key key{.pc = head->pc, .code = 0, .instruction = 0};
  if (head->python_count) key = {.pc = head->pc, .code = head->python.code, .instruction = head->python.instruction};
  const auto end = sites_.begin() + static_cast<std::ptrdiff_t>(count_);
  const auto found = std::find_if(sites_.begin(), end, [&](const Site& s) { return s.key == key; });
  if (found != end) return &*found;
  if (count_ < capacity) {
    sites_[count_] = {.key = key, .sum = {}, .latest_ms = 0};
    return &sites_[count_++];
  }
  Site& least = *std::min_element(sites_.begin(), sites_.end(), [](const Site& a, const Site& b) {
    return a.sum.estimated_bytes < b.sum.estimated_bytes;
  });
  least = {.key = key, .sum = {}, .latest_ms = 0};
  return &least;
}

void SiteTable::add(const guard::Block& block) {
  Site* const site = site_of(block.allocated_context);
  if (!site || block.bytes >= 1ull << 46) return;
  ++site->sum.blocks;
  site->sum.bytes += block.bytes;
  site->sum.estimated_bytes += static_cast<std::uint64_t>(static_cast<double>(block.bytes) * std::max<double>(1, block.stands_for));
  if (site->sum.context && block.allocated_ms < site->latest_ms) return;
  site->latest_ms = block.allocated_ms;
  site->sum.context = block.allocated_context;
}

std::size_t SiteTable::largest(std::span<KeptSite> into) {
  std::sort(sites_.begin(), sites_.begin() + static_cast<std::ptrdiff_t>(count_),
            [](const Site& a, const Site& b) { return a.sum.estimated_bytes > b.sum.estimated_bytes; });
  const auto size = std::min(count_, into.size());
  for (std::size_t i = 0; i < size; ++i) into[i] = sites_[i].sum;
  return size;
}

}  // namespace sigwhy::capture
