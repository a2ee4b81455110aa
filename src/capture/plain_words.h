// Sizes, times and numbers in words, for the few lines that the small program writes itself while a run goes on.
#pragma once
#include <cstdint>
#include <string>

namespace sigwhy::capture {

std::string size_words(double bytes);      // "8 GiB", "7.2 GiB"
std::string time_words(double seconds);    // "12 min"
std::string number_words(std::int64_t n);  // "31,000"
// To two figures: what a forecast can say of a step.
std::int64_t rounded(double value);

}  // namespace sigwhy::capture
