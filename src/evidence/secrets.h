// What a secret looks like. Scanners over one text; hostile input, so each is linear and none recurses.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::secrets {

inline constexpr std::string_view blank = "***";

// --api-key, DB_PASSWORD, accessToken: the name says that its value is secret. Not max-tokens, token-file, tokenizer.
bool is_secret_name(std::string_view name);

// A long word without meaning: a key, a hash, base64. Not identifiers, numbers or paths.
bool looks_random(std::string_view word);

// Each blanks what it knows in `text`.
std::string without_known_shapes(std::string_view text);
std::string without_url_users(std::string_view text);
std::string without_named_values(std::string_view text);
std::string without_random_words(std::string_view text);

}  // namespace sigwhy::secrets
