// What a secret looks like. Scanners over one text; hostile input, so each is linear and none recurses.
#pragma once
#include <string>
#include <string_view>

namespace sigwhy::secrets {

inline constexpr std::string_view blank = "***";

// --api-key, DB_PASSWORD, accessToken: the name says that its value is secret. Not max-tokens, token-file, tokenizer.
bool is_secret_name(std::string_view name);

// The same of a variable, attribute or key with this value (as Python writes it), where the word may stand first, too:
// password_hash, secret_value. Not tokens, token_ids, password_file; nor `token = 50256`, `n_pass = 2`.
bool holds_secret(std::string_view name, std::string_view value);

// Not None, True, False.
bool may_hold_secret(std::string_view value);

// A long word without meaning: a key, a hash, base64. Not identifiers, numbers or paths.
bool looks_random(std::string_view word);

// Each blanks what it knows in `text`.
std::string without_known_shapes(std::string_view text);
std::string without_url_users(std::string_view text);
std::string without_named_values(std::string_view text);
std::string without_surely_secret(std::string_view text);  // the three above
std::string without_random_words(std::string_view text);

}  // namespace sigwhy::secrets
