#include "inventory/wheel_tag.h"

#include <cstdio>
#include <string>

namespace sigwhy::inventory {

namespace {

template <class Wanted>
bool any_part(std::string_view list, Wanted wanted) {
  for (;;) {
    const auto end = list.find('.');
    if (wanted(list.substr(0, end))) return true;
    if (end == list.npos) return false;
    list.remove_prefix(end + 1);
  }
}

// "cp311" is 3 and 11, "py3" 3 and nothing, "cp27" 2 and 7.
bool version_of(std::string_view digits, int& major, int& minor) {
  minor = -1;
  if (digits.empty() || digits[0] < '2' || digits[0] > '9') return false;
  major = digits[0] - '0';
  if (digits.size() > 1) std::sscanf(std::string(digits.substr(1)).c_str(), "%d", &minor);
  return true;
}

// abi3 and none go on working in newer versions of Python 3; a full ABI fits one version alone.
bool python_fits(std::string_view python, std::string_view abi, int major, int minor) {
  int wanted_major = 0, wanted_minor = 0;
  if (!version_of(python.substr(std::min<std::size_t>(2, python.size())), wanted_major, wanted_minor)) return false;
  if (wanted_major != major) return false;
  if (python.starts_with("py")) return wanted_minor < 0 || wanted_minor <= minor;
  if (!python.starts_with("cp")) return false;
  if (abi == "abi3" || abi == "none") return wanted_minor <= minor;
  return wanted_minor == minor;
}

bool platform_fits(std::string_view platform) {
  return platform == "any" || platform.find("x86_64") != platform.npos;
}

}  // namespace

bool fits(std::string_view tag, int major, int minor) {
  const auto first = tag.find('-'), second = tag.find('-', first + 1);
  if (second == tag.npos) return true;  // no tag that could be read
  const auto abi = tag.substr(first + 1, second - first - 1);
  return any_part(tag.substr(second + 1), platform_fits) &&
         any_part(tag.substr(0, first), [&](std::string_view python) {
           return any_part(abi, [&](std::string_view one) { return python_fits(python, one, major, minor); });
         });
}

}  // namespace sigwhy::inventory
