// Apart from redact.cpp: the front handles words and lines, and needs nothing that walks a whole case.
#include <cctype>
#include <utility>

#include "evidence/redact.h"
#include "evidence/secrets.h"

namespace sigwhy {

namespace {

bool is_flag(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1]));
}

// curl -u ada:secret; but docker -u 1000:1000
bool is_user_and_password(std::string_view flag, std::string_view value) {
  const auto colon = value.find(':');
  return (flag == "-u" || flag == "--user") && colon != std::string_view::npos &&
         value.find_first_not_of("0123456789:") != std::string_view::npos;
}

}  // namespace

std::string redact_text(std::string_view text, const Redaction& redaction) {
  auto safe = secrets::without_surely_secret(text);
  return redaction.values ? safe : secrets::without_random_words(safe);
}

std::vector<std::string> redact_arguments(std::vector<std::string> argv, const Redaction& redaction) {
  std::string flag;
  for (auto& word : argv) {
    const bool follows = is_flag(flag) && flag.find('=') == std::string::npos && !word.starts_with("--");
    const auto previous = std::exchange(flag, word);
    if (follows && secrets::is_secret_name(previous)) word = secrets::blank;
    else if (follows && is_user_and_password(previous, word))
      word = word.substr(0, word.find(':') + 1) + std::string(secrets::blank);
    else word = redact_text(word, redaction);
  }
  return argv;
}

}  // namespace sigwhy
