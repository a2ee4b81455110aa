#include "target/page_cache.h"

#include <algorithm>

namespace sigwhy {

const PageCache::Page& PageCache::page(std::uint64_t number) const {
  Page* const set = pages_.data() + (number * 0x9e3779b97f4a7c15 >> 59) % sets * ways;
  for (std::size_t way = 0; way < ways; ++way)
    if (set[way].number == number) return set[way];
  Page& page = set[next_way_++ % ways];
  page.readable = memory_.read(Address{number * page_bytes}, page.bytes);
  page.number = number;
  return page;
}

std::size_t PageCache::read(Address from, std::span<std::byte> into) const {
  // Large reads gain nothing and would push everything else out.
  if (into.size() > 4 * page_bytes) return memory_.read(from, into);
  std::size_t done = 0;
  while (done < into.size()) {
    const std::uint64_t at = from.value + done;
    const std::size_t offset = at % page_bytes;
    const Page& p = page(at / page_bytes);
    // What is not to be had as a page may be in part.
    if (offset >= p.readable) return done + memory_.read(from + done, into.subspan(done));
    const auto size = std::min({into.size() - done, p.readable - offset});
    std::ranges::copy_n(p.bytes.begin() + static_cast<std::ptrdiff_t>(offset), static_cast<std::ptrdiff_t>(size),
                        into.begin() + static_cast<std::ptrdiff_t>(done));
    done += size;
  }
  return done;
}

void PageCache::forget() {
  for (Page& page : pages_) page.number = ~std::uint64_t{0};
}

void PageCache::touch() {
  for (Page& page : pages_) page.bytes.fill({});
}

}  // namespace sigwhy
