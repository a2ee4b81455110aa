// The strings that a source line writes out: 's3cr3t' in login("ada", 's3cr3t'). C, C++ and Python alike. One line is
// seen without those before it: of a literal that began further up nothing is known, and an apostrophe of a comment
// passes for a quote.
#pragma once
#include <set>
#include <string>
#include <string_view>

namespace sigwhy {

// `line` with *** for what its literals hold; that is added to `held`. Empty literals stay.
std::string without_literals(std::string_view line, std::set<std::string>& held);

// `text` with *** for each of `held` that stands in it between quotes.
std::string without_quoted(std::string_view text, const std::set<std::string>& held);

}  // namespace sigwhy
