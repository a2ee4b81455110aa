#include "diagnose/native_sites.h"

#include <fmt/format.h>

#include "diagnose/phrases.h"
#include "evidence/heap_words.h"

namespace sigwhy::diagnose {

std::optional<NativeSite> largest_site(const Facts& f) {
  if (!f.snapshot.guarded_heap) return std::nullopt;
  std::optional<NativeSite> best;
  const auto& sites = f.snapshot.guarded_heap->sites;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const double share = sites[i].share_recorded > 0 ? sites[i].share_recorded : 1;
    NativeSite site{.index = i,
                    .bytes = static_cast<std::uint64_t>(static_cast<double>(sites[i].live_bytes) / share),
                    .recorded = sites[i].live_blocks,
                    .place = heap_place_text(f.snapshot, sites[i].allocated)};
    if (!site.place.empty() && (!best || site.bytes > best->bytes)) best = std::move(site);
  }
  return best;
}

Fact site_fact(const NativeSite& site) {
  return fact("site", fmt::format("native memory: about {} live from {}", bytes_text(site.bytes), site.place),
              {{fmt::format("/guarded_heap/sites/{}", site.index)}});
}

}  // namespace sigwhy::diagnose
