#include "inputs/verdict.h"

#include <fmt/format.h>

#include <utility>

#include "base/count_text.h"
#include "native/texts_clean.h"

namespace sigwhy::inputs {

Checked broken(std::uint64_t offset, std::string where, std::string what) {
  return {.soundness = Soundness::broken, .flaw = Flaw{.offset = offset, .where = std::move(where), .what = std::move(what)}};
}

Checked sound(std::string holds) { return {.soundness = Soundness::sound, .holds = std::move(holds)}; }

Checked not_checked(std::string why) { return {.soundness = Soundness::not_checked, .why = std::move(why)}; }

std::string counted(std::uint64_t n, std::string_view noun) {
  return fmt::format("{} {}{}", grouped_digits(n), noun, n == 1 ? "" : "s");
}

std::string shown(std::string_view name) {
  constexpr std::size_t most_characters = 80;
  std::string text;
  for (std::size_t at = 0, characters = 0; at < name.size(); ++characters) {
    if (characters == most_characters) return text + "...";
    std::size_t size = 1;  // of the character here: at most four bytes make one
    while (size < 4 && at + size < name.size() && (static_cast<unsigned char>(name[at + size]) & 0xc0) == 0x80) ++size;
    const auto character = name.substr(at, size);
    if (is_shown_as_is(character)) text += character;
    else
      for (const char c : character) text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    at += size;
  }
  return text;
}

bool is_shown_as_is(std::string_view name) {
  return native::is_plain_text(name) && name.find_first_of("\n\r\t") == std::string_view::npos;
}

}  // namespace sigwhy::inputs
