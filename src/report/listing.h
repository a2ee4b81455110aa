// All cases on one page, those that died alike together.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "evidence/case.h"
#include "report/look.h"

namespace sigwhy::report {

// What the list says of one case; small, so that 200 fit in memory without their snapshots.
struct Summary {
  std::string id;
  std::int64_t made_unix_ms = 0;
  std::string strength;  // PROVEN, ..., UNKNOWN
  std::string cause;     // cause id; empty for UNKNOWN
  std::string place;     // the first line of "at"; of an exception its line and kind
  std::string end;       // SIGSEGV, exit 1
  std::string command;

  // Cases of one group have the same verdict at the same place.
  std::string group() const { return cause + "\n" + place; }
};

Summary summarise(const Case& c);

// Newest first, groups in the order of their newest case. `broken` files could not be read.
std::string draw_list(const std::vector<Summary>& newest_first, std::size_t broken, const Look& look);

}  // namespace sigwhy::report
