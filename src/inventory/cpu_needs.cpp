#include "inventory/cpu_needs.h"

#include <algorithm>
#include <cctype>

namespace sigwhy::inventory {

namespace {

// What compilers and NumPy call a feature, letters and digits alone, and the kernel's words for it.
struct Feature {
  std::string_view word;
  std::string_view flags;
};

constexpr std::string_view level_2 = "cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2";
constexpr std::string_view level_3 = "cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2 avx avx2 bmi1 bmi2 f16c fma abm movbe";
constexpr std::string_view level_4 = "cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2 avx avx2 bmi1 bmi2 f16c fma abm movbe avx512f avx512bw avx512cd avx512dq avx512vl";

constexpr Feature features[] = {
    {"sse", "sse"},         {"sse2", "sse2"},         {"sse3", "pni"},          {"ssse3", "ssse3"},         {"sse41", "sse4_1"},
    {"sse42", "sse4_2"},    {"popcnt", "popcnt"},     {"cx16", "cx16"},         {"avx", "avx"},             {"avx2", "avx2"},
    {"fma", "fma"},         {"fma3", "fma"},          {"f16c", "f16c"},         {"bmi1", "bmi1"},           {"bmi2", "bmi2"},
    {"lzcnt", "abm"},       {"movbe", "movbe"},       {"pclmulqdq", "pclmulqdq"}, {"avx512f", "avx512f"},   {"avx512cd", "avx512cd"},
    {"x86v2", level_2},     {"x86v3", level_3},       {"x86v4", level_4},       {"x8664v2", level_2},       {"x8664v3", level_3},
    {"x8664v4", level_4},
};

std::string plain(std::string_view word) {
  std::string result;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c))) result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool has_all(std::string_view flags, const std::vector<std::string>& cpu_features) {
  while (!flags.empty()) {
    const auto end = std::min(flags.find(' '), flags.size());
    if (std::ranges::find(cpu_features, flags.substr(0, end)) == cpu_features.end()) return false;
    flags.remove_prefix(std::min(end + 1, flags.size()));
  }
  return true;
}

}  // namespace

std::vector<std::string> missing_features(std::string_view list, const std::vector<std::string>& cpu_features) {
  std::vector<std::string> missing;
  if (cpu_features.empty()) return missing;  // nothing is known of this CPU
  while (!list.empty()) {
    const auto end = std::min(list.find_first_of(" ,"), list.size());
    auto word = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto known = std::ranges::find(features, plain(word), &Feature::word);
    if (known != std::end(features) && !has_all(known->flags, cpu_features)) missing.emplace_back(word);
  }
  return missing;
}

std::string isa_words(unsigned bits) {
  if (bits & 8) return "x86-64-v4";
  if (bits & 4) return "x86-64-v3";
  return bits & 2 ? "x86-64-v2" : "";
}

}  // namespace sigwhy::inventory
