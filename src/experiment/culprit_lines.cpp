#include "experiment/culprit_lines.h"

#include <algorithm>
#include <numeric>

namespace sigwhy::experiment {

namespace {

Lines part(const Lines& lines, std::size_t index, std::size_t parts) {
  const auto from = lines.size() * index / parts, to = lines.size() * (index + 1) / parts;
  return Lines(lines.begin() + static_cast<std::ptrdiff_t>(from), lines.begin() + static_cast<std::ptrdiff_t>(to));
}

Lines without(const Lines& lines, std::size_t index, std::size_t parts) {
  const auto from = lines.size() * index / parts, to = lines.size() * (index + 1) / parts;
  Lines rest(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(from));
  rest.insert(rest.end(), lines.begin() + static_cast<std::ptrdiff_t>(to), lines.end());
  return rest;
}

}  // namespace

Culprits find_culprits(std::size_t count, const std::function<std::optional<bool>(const Lines&)>& dies) {
  Culprits found{.lines = Lines(count)};
  std::iota(found.lines.begin(), found.lines.end(), std::size_t{0});
  std::size_t parts = 2;
  while (found.lines.size() > 1) {
    bool smaller = false;
    // First the pieces alone, then everything but a piece (of two pieces that is the same).
    for (std::size_t round = 0; round < (parts > 2 ? 2u : 1u) && !smaller; ++round) {
      for (std::size_t i = 0; i < parts && !smaller; ++i) {
        auto tried = round == 0 ? part(found.lines, i, parts) : without(found.lines, i, parts);
        const auto died = dies(tried);
        if (!died) return found;
        if (!*died) continue;
        found.lines = std::move(tried);
        parts = round == 0 ? 2 : std::max<std::size_t>(parts - 1, 2);
        smaller = true;
      }
    }
    if (smaller) continue;
    if (parts >= found.lines.size()) break;
    parts = std::min(parts * 2, found.lines.size());
  }
  found.smallest = true;
  return found;
}

}  // namespace sigwhy::experiment
