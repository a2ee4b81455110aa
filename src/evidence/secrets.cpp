#include "evidence/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <vector>

namespace sigwhy::secrets {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_alpha(char c) { return is_upper(c) || (c >= 'a' && c <= 'z'); }
bool is_word(char c) { return is_alpha(c) || is_digit(c) || c == '_'; }

// ---- known shapes

struct Shape {
  std::string_view start;
  std::size_t least;         // characters that must follow
  std::string_view besides;  // allowed in it besides letters and digits
};

constexpr std::array shapes = {
    Shape{"AKIA", 16, ""},     Shape{"ASIA", 16, ""},   Shape{"ghp_", 16, "_"},     Shape{"gho_", 16, "_"},
    Shape{"ghu_", 16, "_"},    Shape{"ghs_", 16, "_"},  Shape{"ghr_", 16, "_"},     Shape{"github_pat_", 16, "_"},
    Shape{"glpat-", 16, "_-"}, Shape{"sk-", 16, "_-"},  Shape{"sk_live_", 16, "_"}, Shape{"rk_live_", 16, "_"},
    Shape{"xoxa-", 10, "-"},   Shape{"xoxb-", 10, "-"}, Shape{"xoxp-", 10, "-"},    Shape{"xoxr-", 10, "-"},
    Shape{"xoxs-", 10, "-"},   Shape{"xapp-", 10, "-"}, Shape{"hf_", 20, ""},       Shape{"AIza", 30, "_-"},
    Shape{"ya29.", 20, "_-."}, Shape{"npm_", 30, ""},   Shape{"pypi-", 30, "_-"},   Shape{"dop_v1_", 30, ""},
    Shape{"eyJ", 16, "_-.="},  Shape{"SG.", 20, "_-."},
};

bool begins_a_shape(char c) {
  static const auto table = [] {
    std::array<bool, 256> begins{};
    for (const auto& shape : shapes) begins[static_cast<unsigned char>(shape.start[0])] = true;
    return begins;
  }();
  return table[static_cast<unsigned char>(c)];
}

// Length of the token that begins here, or 0.
std::size_t known_token(std::string_view rest) {
  if (!begins_a_shape(rest[0])) return 0;
  for (const auto& shape : shapes) {
    if (!rest.starts_with(shape.start)) continue;
    auto end = shape.start.size();
    while (end < rest.size() &&
           (is_alpha(rest[end]) || is_digit(rest[end]) || shape.besides.find(rest[end]) != std::string_view::npos))
      ++end;
    if (end >= shape.start.size() + shape.least) return end;
  }
  return 0;
}

std::size_t private_key(std::string_view rest) {
  if (!rest.starts_with("-----BEGIN ") || rest.substr(0, 64).find("PRIVATE KEY") == std::string_view::npos) return 0;
  constexpr std::string_view last = "-----END ";
  const auto end = rest.find(last);
  if (end == std::string_view::npos) return rest.size();
  const auto line = rest.find("-----", end + last.size());
  return line == std::string_view::npos ? rest.size() : line + 5;
}

// ---- names

// "secretAccessKey_2" as secret, access, key.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool hump = i > 0 && is_upper(c) && !is_upper(name[i - 1]);
    if (!is_alpha(c) || hump) words.emplace_back();
    if (is_alpha(c)) words.back() += static_cast<char>(std::tolower(c));
  }
  std::erase(words, "");
  return words;
}

constexpr std::array secret_words = {"password",  "passwords",     "passwd", "passphrase", "secret",
                                     "secrets",   "token",         "apikey", "credential", "credentials",
                                     "bearer",    "authorization", "auth",   "authtoken",  "accesstoken",
                                     "secretkey", "cookie",        "pwd",    "pass"};
constexpr std::array before_key = {"api",     "access",     "private", "secret", "auth",
                                   "signing", "encryption", "account", "license"};
// These name other things as well, which are numbers: the token of a text, the pass of a loop.
constexpr std::array vague_words = {"token", "auth", "cookie", "pass", "bearer"};
constexpr std::array sure_words = {"password",   "passwords",   "passwd",        "passphrase", "secret", "secrets",
                                   "credential", "credentials", "authorization", "apikey",     "authtoken"};
constexpr std::array about_it = {"file",  "filename", "path",  "dir",  "folder", "length", "len",
                                 "count", "size",     "index", "name", "field",  "url",    "policy"};

bool contains(std::span<const char* const> list, std::string_view word) {
  return std::ranges::any_of(list, [&](std::string_view w) { return w == word; });
}

}  // namespace

bool is_secret_name(std::string_view name) {
  const auto words = words_of(name);
  if (words.empty() || name.size() > 64) return false;
  if (contains(secret_words, words.back())) return true;
  return words.size() > 1 && words.back() == "key" && contains(before_key, words[words.size() - 2]);
}

bool may_hold_secret(std::string_view value) { return value != "None" && value != "True" && value != "False"; }

bool holds_secret(std::string_view name, std::string_view value) {
  const auto words = words_of(name);
  if (words.empty()) return false;
  if (is_secret_name(name)) {
    const bool number = !value.empty() && value.find_first_not_of("-0123456789.e") == std::string_view::npos;
    return !(number && contains(vague_words, words.back()));
  }
  if (contains(about_it, words.back())) return false;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (contains(sure_words, words[i]) || (i > 0 && words[i] == "key" && contains(before_key, words[i - 1]))) return true;
  return false;
}

bool looks_random(std::string_view word) {
  while (word.ends_with('=')) word.remove_suffix(1);
  // Mangled names, of C++ and of Cython: lengths stand between their parts.
  if (word.size() < 32 || word.starts_with("_Z") || word.starts_with("__pyx_")) return false;
  std::size_t changes = 0, digits = 0, letters = 0;
  const auto kind = [](char c) { return is_digit(c) ? 0 : is_upper(c) ? 1 : is_alpha(c) ? 2 : 3; };
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (!is_word(word[i]) && word[i] != '+' && word[i] != '/' && word[i] != '-') return false;
    digits += is_digit(word[i]);
    letters += is_alpha(word[i]);
    changes += i > 0 && kind(word[i]) != kind(word[i - 1]);
  }
  // Names are words put together: long stretches of one kind of character. Random ones change at every second.
  return digits >= 3 && letters >= 3 && changes * 100 >= word.size() * 35;
}

std::string without_known_shapes(std::string_view text) {
  std::string safe;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < text.size();) {
    const bool starts = i == 0 || !is_word(text[i - 1]);
    auto length = starts ? known_token(text.substr(i)) : 0;
    if (length == 0 && text[i] == '-') length = private_key(text.substr(i));
    if (length == 0) {
      ++i;
      continue;
    }
    safe.append(text.substr(kept, i - kept)).append(blank);
    kept = i += length;
  }
  return safe.append(text.substr(kept));
}

std::string without_url_users(std::string_view text) {
  if (text.find("://") == std::string_view::npos) return std::string(text);
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    if (!text.substr(i).starts_with("://")) {
      safe += text[i++];
      continue;
    }
    safe += "://";
    i += 3;
    const auto authority = text.substr(i, std::min(text.find_first_of("/ \t\n\"'?#<>", i), text.size()) - i);
    const auto at = authority.rfind('@');
    if (at == std::string_view::npos) continue;
    const auto user = authority.substr(0, at);
    // "git@host" names an account, not a secret
    const bool secret = user.find(':') != std::string_view::npos || user.size() > 16;
    safe += secret ? blank : user;
    i += at;
  }
  return safe;
}

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::string_view value_ends = " \t\r\n,;&\"'<>(){}[]";

struct Value {
  std::size_t start = 0, end = 0;
};

// The value behind a name that ends at `from`: `="x"`, `: x`, `= x`, `": "x"`; end == start where there is none.
Value value_behind(std::string_view text, std::size_t from) {
  auto at = from;
  if (at < text.size() && (text[at] == '"' || text[at] == '\'')) ++at;
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  if (at >= text.size() || (text[at] != '=' && text[at] != ':') || text.substr(at).starts_with("::")) return {};
  ++at;
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  const char quote = at < text.size() && (text[at] == '"' || text[at] == '\'') ? text[at] : 0;
  if (quote) ++at;
  // "Bearer" and "Basic" announce the value, they are not it
  for (const std::string_view scheme : {"Bearer ", "Basic ", "bearer ", "basic "})
    if (text.substr(at).starts_with(scheme)) at += scheme.size();
  const auto end = quote ? text.find(quote, at) : text.find_first_of(value_ends, at);
  return {at, std::min(end, text.size())};
}

// Parsers complain of an "unexpected token: x"; only what could be a credential is taken for one.
bool could_be_credential(std::string_view name, std::string_view between, std::string_view value) {
  if (value.empty() || value == blank) return false;
  const bool number = value.find_first_not_of("0123456789") == std::string_view::npos;
  if (number && (name == "pass" || name == "auth")) return false;
  if (value[0] == '/' && (name == "PWD" || name == "OLDPWD")) return false;
  const bool prose = between.find(':') != std::string_view::npos;
  const bool vague = name == "token" || name == "pass" || name == "auth" || name == "cookie" || name == "secret";
  return !(prose && vague) || (value.size() >= 8 && std::ranges::any_of(value, is_digit));
}

// Most strings are names of functions and files: nothing in them is given to anything.
bool has_assignment(std::string_view text) {
  for (auto at = text.find_first_of("=:"); at != std::string_view::npos; at = text.find_first_of("=:", at + 1)) {
    if (!text.substr(at).starts_with("::")) return true;
    ++at;
  }
  return false;
}

}  // namespace

std::string without_named_values(std::string_view text) {
  if (!has_assignment(text)) return std::string(text);
  std::string safe;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      safe += text[i++];
      continue;
    }
    auto end = i;
    while (end < text.size() && (is_word(text[end]) || text[end] == '-' || text[end] == '.')) ++end;
    const auto name = text.substr(i, end - i);
    safe += name;
    i = end;
    if (!is_secret_name(name)) continue;
    const auto value = value_behind(text, end);
    const auto between = text.substr(end, value.start > end ? value.start - end : 0);
    if (value.end <= value.start ||
        !could_be_credential(name, between, text.substr(value.start, value.end - value.start)))
      continue;
    safe += std::string(between) + std::string(blank);
    i = value.end;
  }
  return safe;
}

std::string without_random_words(std::string_view text) {
  constexpr std::string_view separators = " \t\r\n\"'`,;:=()[]{}<>|&?#*!@$%^~\\";
  std::string safe;
  while (!text.empty()) {
    const auto start = std::min(text.find_first_not_of(separators), text.size());
    safe += text.substr(0, start);
    text.remove_prefix(start);
    const auto end = std::min(text.find_first_of(separators), text.size());
    const auto word = text.substr(0, end);
    const bool path =
        word.starts_with('/') || (word.find('/') != std::string_view::npos && word.find('.') != std::string_view::npos);
    safe += !path && looks_random(word) ? blank : word;
    text.remove_prefix(end);
  }
  return safe;
}

std::string without_surely_secret(std::string_view text) {
  return without_named_values(without_url_users(without_known_shapes(text)));
}

}  // namespace sigwhy::secrets
