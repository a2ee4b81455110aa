// Bytes out of a dead process that are about to be shown as words.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::native {

// Printable ASCII, tabs, line ends and well-formed UTF-8; nothing else.
bool is_plain_text(std::string_view text);

inline bool is_printable(char c) { return (c >= 0x20 && c < 0x7f) || c == '\t'; }

// Bytes of UTF-8 sequences count as part of a line.
inline bool is_line_part(char c) { return is_printable(c) || static_cast<unsigned char>(c) >= 0x80; }

// Without line ends and blanks at the ends; control characters and broken sequences cut off what follows them.
std::string cleaned(std::string_view text);

// A line as a terminal would show it: what a carriage return wrote over is gone, colours are, and bytes that are no
// text become '?'.
std::string as_shown(std::string_view line);

}  // namespace sigwhy::native
