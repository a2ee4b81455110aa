// Live recorded blocks added up by where they were allocated: the call and the innermost Python line. In a fixed table,
// without an allocation; sites beyond its size are left out, the small ones first.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "capture/guard_tables.h"
#include "target/memory.h"

namespace sigwhy::capture {

class SiteTable {
 public:
  SiteTable(const Memory& memory, const guard::Header& header);

  void add(const guard::Block& block);
  // The sites with the most memory first; how many there are.
  std::size_t largest(std::span<KeptSite> into);

 private:
  struct Key {
    std::uint64_t pc, code, instruction;
    bool operator==(const Key&) const = default;
  };
  struct Site {
    Key key;
    KeptSite sum;
    std::uint32_t latest_ms;
  };
  static constexpr std::size_t capacity = 96;
  static constexpr std::size_t most_read = 50'000;

  Site* site_of(std::uint64_t context);

  const Memory& memory_;
  const guard::Header& header_;
  static std::array<Site, capacity> sites_;
  std::size_t count_ = 0, read_ = 0;
};

}  // namespace sigwhy::capture
