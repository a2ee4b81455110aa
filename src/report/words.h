// Numbers and commands as a reader says them: 3 min 12 s, 8.0 GiB, 60,000.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/address.h"

namespace sigwhy::report {

std::string duration_text(double seconds);
std::string size_text(std::uint64_t bytes);
std::string count_text(std::uint64_t n);
std::string hex_text(Address a);

// "1 thread", "2 threads": the noun takes its plural s.
std::string counted(std::uint64_t n, std::string_view noun);

// Ends with a full stop unless it ends with one already.
std::string sentence(std::string text);

// As it would be typed: arguments quoted where a shell needs it.
std::string command_text(const std::vector<std::string>& argv);

std::string_view base_name(std::string_view path);

// Local time, to the minute or to the second.
std::string minute_text(std::int64_t unix_ms);
std::string second_text(std::int64_t unix_ms);

}  // namespace sigwhy::report
