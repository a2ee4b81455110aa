// What one package asks of another, as its metadata says it (PEP 508):
//   requests[socks,tests] >=2.8, ==2.8.* ; python_version < "3.9" and extra == 'net'
// The marker behind the semicolon says for which interpreter and system the requirement holds at all.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "inventory/version.h"

namespace sigwhy::inventory {

// Values of the marker's variables: "python_version" is "3.11", ...
using MarkerValues = std::map<std::string, std::string, std::less<>>;

struct Requirement {
  std::string name;
  std::vector<std::string> extras;  // that it asks for, of the other package
  std::vector<Specifier> specifiers;
  bool understood = true;  // false: the specifiers are not PEP 440's, any version may do
  std::string wants;       // name and specifiers, without the marker, as the package states it
  std::string marker;      // empty: it always holds
};

// Nothing where not even a name can be read.
std::optional<Requirement> parse_requirement(std::string_view text);

// Nothing where the marker cannot be read. `extra` is one that was asked for, or empty.
std::optional<bool> marker_holds(std::string_view marker, const MarkerValues& values, std::string_view extra);

// As package indexes compare names (PEP 503): "Foo.Bar_x" is "foo-bar-x".
std::string normal_name(std::string_view name);

}  // namespace sigwhy::inventory
