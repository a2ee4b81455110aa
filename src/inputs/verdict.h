// How formats word what they find. Names out of a file are shown only through `shown`: they may hold anything.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "evidence/input.h"

namespace sigwhy::inputs {

Checked broken(std::uint64_t offset, std::string where, std::string what);
Checked sound(std::string holds);
Checked not_checked(std::string why);

// "1 record", "200 records".
std::string counted(std::uint64_t n, std::string_view noun);

// Control characters, and bytes that are no UTF-8, as \xNN; cut after 80 characters.
std::string shown(std::string_view name);
bool is_shown_as_is(std::string_view name);

}  // namespace sigwhy::inputs
