// Native memory by the call that allocated it, from the guarded heap's sample of blocks that are still in use.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct NativeSite {
  std::size_t index = 0;  // into guarded_heap.sites
  std::uint64_t bytes = 0;  // of all its blocks, estimated from those that were recorded
  std::uint64_t recorded = 0;  // blocks
  std::string place;  // "load() data.cc:12"
};

// The one with the most memory whose place is known.
std::optional<NativeSite> largest_site(const Facts& facts);
// "native memory: about 1.2 GiB live from load() data.cc:12"
Fact site_fact(const NativeSite& site);

}  // namespace sigwhy::diagnose
