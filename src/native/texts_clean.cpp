#include "native/texts_clean.h"

namespace sigwhy::native {

namespace {

// Bytes that belong to the well-formed character at `at`, 0 where there is none.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const auto first = static_cast<unsigned char>(text[at]);
  if (first < 0x80) return is_printable(text[at]) || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (size == 0 || first >= 0xf5 || text.size() - at < size) return 0;
  for (std::size_t i = 1; i < size; ++i)
    if ((static_cast<unsigned char>(text[at + i]) & 0xc0) != 0x80) return 0;
  return size;
}

std::size_t plain_prefix(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const auto size = character_bytes(text, at);
    if (size == 0) break;
    at += size;
  }
  return at;
}

// Length of a terminal's colour or cursor command: ESC [ digits and semicolons, a letter.
std::size_t escape_bytes(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const auto end = text.find_first_not_of("0123456789;?", 2);
  return end == std::string_view::npos ? text.size() : end + 1;
}

}  // namespace

std::string as_shown(std::string_view line) {
  while (line.ends_with('\r')) line.remove_suffix(1);
  line.remove_prefix(line.rfind('\r') + 1);  // npos + 1 is 0
  std::string shown;
  for (std::size_t at = 0; at < line.size();) {
    if (const auto skipped = escape_bytes(line.substr(at))) {
      at += skipped;
      continue;
    }
    const auto size = character_bytes(line, at);
    if (size == 0) shown += '?';
    else shown += line.substr(at, size);
    at += size == 0 ? 1 : size;
  }
  return shown;
}

bool is_plain_text(std::string_view text) { return plain_prefix(text) == text.size(); }

std::string cleaned(std::string_view text) {
  text = text.substr(0, plain_prefix(text));
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
}

}  // namespace sigwhy::native
