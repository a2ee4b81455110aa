// The first character of a text that may hold any bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sigwhy {

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: the text does not begin with a character of UTF-8
};

// `text` is not empty.
Character first_character(std::string_view text);

}  // namespace sigwhy
