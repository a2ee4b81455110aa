#include "inputs/paged_bytes.h"

#include <algorithm>

namespace sigwhy::inputs {

const PagedBytes::Page& PagedBytes::page_of(std::uint64_t offset) {
  const auto number = offset / page_bytes;
  Page& page = pages_[number % pages_.size()];
  if (page.number == number) return page;
  const auto start = number * page_bytes;
  const auto wanted = start < bytes() ? std::min(page_bytes, bytes() - start) : 0;
  page.number = number;
  page.bytes.resize(wanted);
  page.bytes.resize(file_.read(start, page.bytes));
  if (page.bytes.size() < wanted) shrank_ = true;
  return page;
}

std::uint8_t PagedBytes::byte(std::uint64_t offset) {
  const Page& page = page_of(offset);
  const auto inside = offset % page_bytes;
  return inside < page.bytes.size() ? static_cast<std::uint8_t>(page.bytes[inside]) : 0;
}

std::uint64_t PagedBytes::number(std::uint64_t offset, unsigned width) {
  std::uint64_t value = 0;
  for (unsigned i = width; i-- > 0;) value = value << 8 | byte(offset + i);
  return value;
}

}  // namespace sigwhy::inputs
