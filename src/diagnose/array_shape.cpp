#include "diagnose/array_shape.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace sigwhy::diagnose {

namespace {

__extension__ using Wide = __int128;  // products of 64-bit numbers that a program made up
constexpr Wide address_space = Wide{1} << 64;
constexpr std::size_t most_dimensions = 64;

std::vector<std::int64_t> strides_of(const Array& a) {
  if (a.strides && a.strides->size() == a.shape.size()) return *a.strides;
  std::vector<std::int64_t> strides(a.shape.size());
  Wide step = static_cast<Wide>(a.item_bytes);
  for (std::size_t i = strides.size(); i-- > 0;) {
    strides[i] = static_cast<std::int64_t>(std::min<Wide>(step, std::numeric_limits<std::int64_t>::max()));
    step = std::min<Wide>(step * std::max<std::int64_t>(a.shape[i], 1), address_space);
  }
  return strides;
}

bool is_sane(const Array& a) {
  return a.data && a.item_bytes > 0 && a.shape.size() <= most_dimensions &&
         std::ranges::all_of(a.shape, [](std::int64_t n) { return n > 0; });
}

std::uint64_t size_of(std::int64_t stride) {
  return stride < 0 ? 0 - static_cast<std::uint64_t>(stride) : static_cast<std::uint64_t>(stride);
}

// Dimensions, the largest stride first.
std::vector<std::size_t> by_stride(const std::vector<std::int64_t>& strides) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return size_of(strides[i]); });
  return order;
}

}  // namespace

std::optional<Span> elements_of(const Array& a) {
  if (!is_sane(a)) return std::nullopt;
  const auto strides = strides_of(a);
  Wide low = a.data->value, high = low + static_cast<Wide>(a.item_bytes);
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    const Wide reach = static_cast<Wide>(a.shape[i] - 1) * strides[i];
    if (reach > address_space || reach < -address_space) return std::nullopt;
    (reach < 0 ? low : high) += reach;
  }
  if (low < 0 || high >= address_space) return std::nullopt;
  return Span{static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)};
}

std::optional<Span> memory_of(const Array& a) {
  if (!a.memory_start || !a.memory_bytes) return std::nullopt;
  Span span{a.memory_start->value, 0};
  if (__builtin_add_overflow(span.low, *a.memory_bytes, &span.high)) return std::nullopt;
  // A view starts inside what it is a view of; where it does not, the chain was misread.
  if (a.data && !span.holds(a.data->value)) return std::nullopt;
  return span;
}

bool leaves_memory(const Array& a) {
  const auto elements = elements_of(a), memory = memory_of(a);
  return elements && memory && !memory->holds(*elements);
}

std::uint64_t element_count(const Array& a) {
  Wide count = 1;
  for (const auto n : a.shape) {
    count *= std::max<std::int64_t>(n, 0);
    if (count >= address_space) return std::numeric_limits<std::uint64_t>::max();
  }
  return static_cast<std::uint64_t>(count);
}

bool is_contiguous(const Array& a) {
  if (!is_sane(a)) return false;
  const auto strides = strides_of(a);
  Wide step = static_cast<Wide>(a.item_bytes);
  for (std::size_t i = a.shape.size(); i-- > 0; step *= a.shape[i])
    if (step > address_space || (a.shape[i] > 1 && strides[i] != step)) return false;
  return true;
}

bool has_distinct_elements(const Array& a) {
  if (!is_sane(a)) return false;
  const auto strides = strides_of(a);
  Wide reach = static_cast<Wide>(a.item_bytes);  // of one step of all smaller strides together
  const auto order = by_stride(strides);
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    const Wide step = size_of(strides[*i]);
    if (a.shape[*i] == 1) continue;
    if (step < reach) return false;
    reach += step * (a.shape[*i] - 1);
    if (reach > address_space) return false;
  }
  return true;
}

std::optional<std::vector<std::int64_t>> element_at(const Array& a, std::uint64_t address) {
  const auto span = elements_of(a);
  if (!span || !span->holds(address)) return std::nullopt;
  const auto strides = strides_of(a);
  const auto order = by_stride(strides);
  std::vector<std::int64_t> index(a.shape.size());
  std::uint64_t rest = address - span->low;
  for (const auto i : order) {
    const auto step = size_of(strides[i]);
    if (step == 0) continue;
    const auto steps = std::min<std::uint64_t>(rest / step, static_cast<std::uint64_t>(a.shape[i] - 1));
    rest -= steps * step;
    // From the lowest byte a negative stride is counted backwards.
    index[i] = strides[i] < 0 ? a.shape[i] - 1 - static_cast<std::int64_t>(steps) : static_cast<std::int64_t>(steps);
  }
  if (rest >= a.item_bytes) return std::nullopt;
  return index;
}

}  // namespace sigwhy::diagnose
