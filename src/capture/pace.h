// How often to do something while the program runs: as often as wished, or less where it costs so much processor time
// that this would exceed a fixed share of a core.
#pragma once
#include <algorithm>
#include <cstddef>

namespace sigwhy::capture {

class Pace {
 public:
  constexpr Pace(double shortest_s, double longest_s, double usual_cost_s)
      : shortest_s_(shortest_s), longest_s_(longest_s), usual_cost_s_(usual_cost_s) {}

  // The pause after one time that took `cost_s`. One that was far dearer than usual (files were opened, an interpreter
  // was looked for) counts as twice the usual: it will not be so again, or it will be soon.
  double pause_s(double cost_s, double share) {
    usual_cost_s_ += (std::min(cost_s, 2 * usual_cost_s_) - usual_cost_s_) / 8;
    return std::clamp(usual_cost_s_ / share, shortest_s_, longest_s_);
  }

 private:
  double shortest_s_, longest_s_, usual_cost_s_;
};

// Ten readings a second. 0.06 % of a core for one process; 0.8 % at the most for many.
constexpr double reading_every_s = 0.1;
constexpr double share_of_readings(std::size_t processes) {
  return std::min(0.00055 + 0.00023 * static_cast<double>(processes ? processes - 1 : 0), 0.008);
}

}  // namespace sigwhy::capture
