#include "experiment/over.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string_view>

namespace sigwhy::experiment {

namespace {

bool whole_number(std::string_view text, std::int64_t& number) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  return !text.empty() && end.ec == std::errc() && end.ptr == text.data() + text.size();
}

std::unexpected<Error> not_understood(const std::string& text) {
  return failure("--over " + text + " is not understood", "it is NAME=LOW..HIGH, NAME=A,B,C or NAME=@FILE",
                 "for example --over batch=1..4096");
}

bool is_name(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') return false;
  return true;
}

}  // namespace

Result<Over> parse_over(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals + 1 == text.size() || !is_name(text.substr(0, equals))) return not_understood(text);
  Over over{.name = text.substr(0, equals)};
  const std::string rest = text.substr(equals + 1);
  if (rest[0] == '@') {
    over.kind = Over::lines;
    over.file = rest.substr(1);
    return over.file.empty() ? Result<Over>(not_understood(text)) : over;
  }
  if (const auto dots = rest.find(".."); dots != rest.npos && rest.find(',') == rest.npos) {
    if (!whole_number(rest.substr(0, dots), over.first) || !whole_number(rest.substr(dots + 2), over.last))
      return not_understood(text);
    constexpr std::int64_t most = std::int64_t{1} << 60;
    if (over.first >= over.last || over.first < -most || over.last > most)
      return failure("--over " + text + " holds nothing to search", "the first number must be the smaller one");
    return over;
  }
  over.kind = Over::list;
  over.values = split_list(rest);
  if (over.values.size() < 2) return failure("--over " + text + " holds nothing to search", "a list needs two values at least");
  return over;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> list;
  std::string_view left = text;
  for (;;) {
    const auto comma = left.find(',');
    if (const auto one = left.substr(0, comma); !one.empty()) list.emplace_back(one);
    if (comma == left.npos) return list;
    left.remove_prefix(comma + 1);
  }
}

bool mentions(const std::vector<std::string>& command, const std::string& name) {
  for (const auto& word : command)
    if (word.find("{" + name + "}") != word.npos) return true;
  return false;
}

std::vector<std::string> with_value(const std::vector<std::string>& command, const std::string& name,
                                    const std::string& value) {
  auto words = command;
  const std::string place = "{" + name + "}";
  for (auto& word : words)
    for (auto at = word.find(place); at != word.npos; at = word.find(place, at + value.size()))
      word.replace(at, place.size(), value);
  return words;
}

Result<std::uint64_t> parse_size(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  std::string_view unit = end;
  if (unit.ends_with("iB")) unit.remove_suffix(2);
  else if (unit.ends_with("B")) unit.remove_suffix(1);
  const std::string_view units = "KMGT";
  const auto power = unit.empty() ? 0 : units.find(static_cast<char>(std::toupper(unit[0]))) + 1;
  if (end == text.c_str() || !(number > 0) || unit.size() > 1 || (!unit.empty() && power == 0))
    return failure(text + " is no size", "sizes are like 300M or 8G");
  return static_cast<std::uint64_t>(std::ldexp(number, static_cast<int>(10 * power)));
}

Result<double> parse_time(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string_view unit = end;
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" || unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  if (end == text.c_str() || !(number > 0) || scale == 0) return failure(text + " is no time", "times are like 90, 15m or 2h");
  return number * scale;
}

}  // namespace sigwhy::experiment
