#include "experiment/words.h"

#include <fmt/format.h>

#include <array>

namespace sigwhy::experiment {

namespace {

std::string of_text(const Arm& arm) {
  const auto counted = arm.runs - arm.otherwise;
  return fmt::format("{} of {}", arm.died, counted);
}

}  // namespace

std::string size_text(std::uint64_t bytes) {
  constexpr std::array units = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  double amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 1024 && unit + 1 < units.size()) amount /= 1024, ++unit;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string counts_text(const std::string& as_it_was, const Arm& before, const std::string& changed, const Arm& after) {
  auto text = fmt::format("{} {} died, {} {}", as_it_was, of_text(before), changed, of_text(after));
  if (after.otherwise) text += fmt::format(" ({} failed in another way)", after.otherwise);
  return text;
}

}  // namespace sigwhy::experiment
