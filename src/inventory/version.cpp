#include "inventory/version.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "inventory/files.h"

namespace sigwhy::inventory {

namespace {

constexpr std::size_t longest_number = 19;  // digits that surely fit

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_separator(char c) { return c == '-' || c == '_' || c == '.'; }

std::string lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

// Takes pieces off the front of a lower-case text.
struct Scanner {
  std::string_view left;

  bool take(char c) {
    if (!left.starts_with(c)) return false;
    left.remove_prefix(1);
    return true;
  }
  std::optional<std::uint64_t> number() {
    const auto end = std::min(static_cast<std::size_t>(std::ranges::find_if_not(left, is_digit) - left.begin()), left.size());
    if (end == 0 || end > longest_number) return std::nullopt;
    std::uint64_t value = 0;
    if (std::from_chars(left.data(), left.data() + end, value).ec != std::errc()) return std::nullopt;
    left.remove_prefix(end);
    return value;
  }
  // "-rc.1": separator, one of the words, separator, number; both separators and the number may be missing.
  std::optional<std::uint64_t> labelled(std::initializer_list<std::string_view> words) {
    Scanner trial = *this;
    if (!trial.left.empty() && is_separator(trial.left[0])) trial.left.remove_prefix(1);
    const auto word = std::ranges::find_if(words, [&](auto w) { return trial.left.starts_with(w); });
    if (word == words.end()) return std::nullopt;
    trial.left.remove_prefix(word->size());
    Scanner behind = trial;
    if (!behind.left.empty() && is_separator(behind.left[0])) behind.left.remove_prefix(1);
    const auto value = behind.number();
    *this = value ? behind : trial;
    return value.value_or(0);
  }
};

std::optional<PreRelease> take_pre(Scanner& in) {
  if (const auto n = in.labelled({"alpha", "a"})) return PreRelease{'a', *n};
  if (const auto n = in.labelled({"beta", "b"})) return PreRelease{'b', *n};
  if (const auto n = in.labelled({"preview", "pre", "rc", "c"})) return PreRelease{'r', *n};
  return std::nullopt;
}

std::optional<std::uint64_t> take_post(Scanner& in) {
  if (Scanner bare = in; bare.take('-'))
    if (const auto n = bare.number()) {
      in = bare;
      return n;
    }
  return in.labelled({"post", "rev", "r"});
}

bool take_release(Scanner& in, Version& version) {
  auto first = in.number();
  if (!first) return false;
  if (in.take('!')) {
    version.epoch = *first;
    first = in.number();
    if (!first) return false;
  }
  version.release.push_back(*first);
  for (Scanner next = in; next.take('.'); next = in) {
    const auto part = next.number();
    if (!part) break;
    version.release.push_back(*part);
    in = next;
  }
  return true;
}

bool take_local(Scanner& in, Version& version) {
  do {
    const auto end = std::ranges::find_if_not(in.left, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); });
    const auto size = static_cast<std::size_t>(end - in.left.begin());
    if (size == 0) return false;
    version.local.emplace_back(in.left.substr(0, size));
    in.left.remove_prefix(size);
  } while (in.take('.') || in.take('-') || in.take('_'));
  return true;
}

std::strong_ordering compare_release(const Version& a, const Version& b) {
  const auto longer = std::max(a.release.size(), b.release.size());
  for (std::size_t i = 0; i < longer; ++i) {
    const auto x = i < a.release.size() ? a.release[i] : 0, y = i < b.release.size() ? b.release[i] : 0;
    if (x != y) return x <=> y;
  }
  return std::strong_ordering::equal;
}

// A development release of nothing else comes before every pre-release, a final one behind them all.
int pre_rank(const Version& v) { return v.pre ? 1 : !v.post && v.dev ? 0 : 2; }

std::strong_ordering compare_labels(const std::string& a, const std::string& b) {
  const bool a_number = std::ranges::all_of(a, is_digit), b_number = std::ranges::all_of(b, is_digit);
  if (a_number != b_number) return a_number <=> b_number;
  if (!a_number) return a <=> b;
  const auto trimmed = [](std::string_view s) { return s.substr(std::min(s.find_first_not_of('0'), s.size())); };
  const auto x = trimmed(a), y = trimmed(b);
  return x.size() != y.size() ? x.size() <=> y.size() : x <=> y;
}

std::strong_ordering compare_local(const Version& a, const Version& b) {
  for (std::size_t i = 0; i < std::min(a.local.size(), b.local.size()); ++i)
    if (const auto order = compare_labels(a.local[i], b.local[i]); order != 0) return order;
  return a.local.size() <=> b.local.size();
}

// "1.2.*" and "~=1.2.3" ask for the same first parts; what is missing counts as zero.
bool begins_with(const Version& version, const Version& wanted, std::size_t parts) {
  if (version.epoch != wanted.epoch) return false;
  for (std::size_t i = 0; i < parts; ++i)
    if ((i < version.release.size() ? version.release[i] : 0) != wanted.release[i]) return false;
  return true;
}

bool equals(const Version& version, const Specifier& s) {
  if (s.wildcard) return begins_with(version, *s.version, s.version->release.size());
  return compare(s.version->local.empty() ? version.without_local() : version, *s.version) == 0;
}

bool is_less(const Version& version, const Version& bound) {
  if (compare(version, bound) >= 0) return false;
  return bound.is_pre_release() || !version.is_pre_release() || compare(version.base(), bound.base()) != 0;
}

bool is_greater(const Version& version, const Version& bound) {
  if (compare(version, bound) <= 0) return false;
  const bool same_base = compare(version.base(), bound.base()) == 0;
  if (!bound.is_post_release() && version.is_post_release() && same_base) return false;
  return version.local.empty() || !same_base;
}

}  // namespace

Version Version::without_local() const {
  Version result = *this;
  result.local.clear();
  return result;
}

Version Version::base() const { return {.epoch = epoch, .release = release}; }

std::optional<Version> parse_version(std::string_view text) {
  const std::string lower = lowered(stripped(text));
  Scanner in{lower};
  in.take('v');
  Version version;
  if (!take_release(in, version)) return std::nullopt;
  version.pre = take_pre(in);
  version.post = take_post(in);
  version.dev = in.labelled({"dev"});
  if (in.take('+') && !take_local(in, version)) return std::nullopt;
  if (!in.left.empty()) return std::nullopt;
  return version;
}

std::strong_ordering compare(const Version& a, const Version& b) {
  if (a.epoch != b.epoch) return a.epoch <=> b.epoch;
  if (const auto order = compare_release(a, b); order != 0) return order;
  if (const auto order = pre_rank(a) <=> pre_rank(b); order != 0) return order;
  if (const auto order = a.pre.value_or(PreRelease{}) <=> b.pre.value_or(PreRelease{}); order != 0) return order;
  if (const auto order = a.post <=> b.post; order != 0) return order;
  if (a.dev.has_value() != b.dev.has_value()) return b.dev.has_value() <=> a.dev.has_value();
  if (const auto order = a.dev.value_or(0) <=> b.dev.value_or(0); order != 0) return order;
  return compare_local(a, b);
}

std::optional<Specifier> parse_specifier(std::string_view text) {
  using enum Specifier::Operator;
  struct Spelling {
    std::string_view text;
    Specifier::Operator op;
  };
  static constexpr Spelling spellings[] = {{"===", identical}, {"~=", compatible}, {"==", equal}, {"!=", unequal},
                                           {"<=", at_most},    {">=", at_least},   {"<", less},   {">", greater}};
  text = stripped(text);
  const auto found = std::ranges::find_if(spellings, [&](const Spelling& s) { return text.starts_with(s.text); });
  if (found == std::end(spellings)) return std::nullopt;
  Specifier specifier{.op = found->op, .text = std::string(stripped(text.substr(found->text.size())))};
  std::string_view version = specifier.text;
  if (version.empty()) return std::nullopt;
  if (specifier.op == identical) return version.find_first_of(" \t;)") == version.npos ? std::optional(specifier) : std::nullopt;
  specifier.wildcard = version.ends_with(".*");
  if (specifier.wildcard) version.remove_suffix(2);
  specifier.version = parse_version(version);
  if (!specifier.version) return std::nullopt;
  const auto& v = *specifier.version;
  const bool exact = specifier.op == equal || specifier.op == unequal;
  if (specifier.wildcard && (!exact || v.pre || v.post || v.dev || !v.local.empty())) return std::nullopt;
  if (!v.local.empty() && !exact) return std::nullopt;
  if (specifier.op == compatible && v.release.size() < 2) return std::nullopt;
  return specifier;
}

std::optional<std::vector<Specifier>> parse_specifiers(std::string_view text) {
  std::vector<Specifier> all;
  while (!text.empty()) {
    const auto end = std::min(text.find(','), text.size());
    const auto part = stripped(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (part.empty()) continue;
    auto specifier = parse_specifier(part);
    if (!specifier) return std::nullopt;
    all.push_back(std::move(*specifier));
  }
  return all;
}

bool meets(const Version& version, std::string_view text, const Specifier& s) {
  using enum Specifier::Operator;
  switch (s.op) {
    case compatible:
      return compare(version.without_local(), *s.version) >= 0 && begins_with(version, *s.version, s.version->release.size() - 1);
    case equal: return equals(version, s);
    case unequal: return !equals(version, s);
    case at_most: return compare(version.without_local(), *s.version) <= 0;
    case at_least: return compare(version.without_local(), *s.version) >= 0;
    case less: return is_less(version, *s.version);
    case greater: return is_greater(version, *s.version);
    case identical: return lowered(stripped(text)) == lowered(s.text);
  }
  return false;
}

std::optional<bool> meets(std::string_view text, const std::vector<Specifier>& specifiers) {
  if (specifiers.empty()) return true;
  const auto version = parse_version(text);
  if (!version) return std::nullopt;
  return std::ranges::all_of(specifiers, [&](const Specifier& s) { return meets(*version, text, s); });
}

}  // namespace sigwhy::inventory
