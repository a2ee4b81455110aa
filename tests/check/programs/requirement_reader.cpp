// Says what sigwhy makes of versions, specifiers and markers, one question a line, fields with tabs:
//   meets VERSION SPECIFIERS | compare A B | marker TEXT EXTRA  ->  yes, no, <, =, >, unreadable
// tests/check/test_requirements.py compares with Python's own `packaging`.
#include <iostream>
#include <string>
#include <vector>

#include "inventory/requirement.h"

using namespace sigwhy::inventory;

static std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  for (std::size_t at = 0; at <= line.size();) {
    const auto end = std::min(line.find('\t', at), line.size());
    fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
  fields.resize(3);
  return fields;
}

static std::string yes_or_no(std::optional<bool> value) { return !value ? "unreadable" : *value ? "yes" : "no"; }

static std::string answer(const std::vector<std::string>& asked) {
  if (asked[0] == "meets") {
    const auto specifiers = parse_specifiers(asked[2]);
    if (!specifiers || !parse_version(asked[1])) return "unreadable";
    return yes_or_no(meets(asked[1], *specifiers));
  }
  if (asked[0] == "compare") {
    const auto a = parse_version(asked[1]), b = parse_version(asked[2]);
    if (!a || !b) return "unreadable";
    const auto order = compare(*a, *b);
    return order < 0 ? "<" : order > 0 ? ">" : "=";
  }
  static const MarkerValues values = {{"os_name", "posix"}, {"sys_platform", "linux"}, {"platform_system", "Linux"},
                                      {"platform_machine", "x86_64"}, {"platform_release", "6.1.0"}, {"platform_version", "#1"},
                                      {"python_version", "3.11"}, {"python_full_version", "3.11.7"}, {"implementation_name", "cpython"},
                                      {"implementation_version", "3.11.7"}, {"platform_python_implementation", "CPython"}};
  return yes_or_no(marker_holds(asked[1], values, asked[2]));
}

int main() {
  for (std::string line; std::getline(std::cin, line);) std::cout << answer(fields_of(line)) << "\n";
}
