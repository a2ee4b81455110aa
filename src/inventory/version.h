// Versions of Python packages and what may be asked of them, as PEP 440 has it: epochs, pre-, post- and development
// releases, local labels. "1.0" equals "1.0.0", "1.0.dev1" < "1.0a1" < "1.0" < "1.0.post1", and "<2" leaves out "2rc1".
#pragma once
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sigwhy::inventory {

struct PreRelease {
  char phase = 'a';  // a, b, r (candidate): their order is that of the letters
  std::uint64_t number = 0;
  auto operator<=>(const PreRelease&) const = default;
};

struct Version {
  std::uint64_t epoch = 0;
  std::vector<std::uint64_t> release;
  std::optional<PreRelease> pre;
  std::optional<std::uint64_t> post;
  std::optional<std::uint64_t> dev;
  std::vector<std::string> local;  // "+cpu.2" is {"cpu", "2"}

  bool is_pre_release() const { return pre || dev; }
  bool is_post_release() const { return post.has_value(); }
  Version without_local() const;
  Version base() const;  // epoch and release alone
};

// Nothing where the text is no version.
std::optional<Version> parse_version(std::string_view text);

std::strong_ordering compare(const Version& a, const Version& b);

// One of a list such as ">=3.20.3,<5,!=4.21.*".
struct Specifier {
  enum class Operator { compatible, equal, unequal, at_most, at_least, less, greater, identical };
  Operator op = Operator::equal;
  std::string text;  // behind the operator
  std::optional<Version> version;  // absent for identical
  bool wildcard = false;
};

std::optional<Specifier> parse_specifier(std::string_view text);

// Nothing where one of the list is none that PEP 440 knows: old packages have such, and nobody can say what they mean.
std::optional<std::vector<Specifier>> parse_specifiers(std::string_view text);

// An installed pre-release counts like any other version. `text` is the version as its package spells it.
bool meets(const Version& version, std::string_view text, const Specifier& specifier);
// Nothing where the version cannot be read, unless nothing is asked of it.
std::optional<bool> meets(std::string_view version, const std::vector<Specifier>& specifiers);

}  // namespace sigwhy::inventory
