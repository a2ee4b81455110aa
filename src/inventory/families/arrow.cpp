// Apache Arrow: its soname is the release times a hundred (libarrow.so.1400 is 14.0).
#include <charconv>

#include <fmt/format.h>

#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  if (!stem.starts_with("libarrow") && !stem.starts_with("libparquet")) {
    if (file.defines("_ZN5arrow12GetBuildInfoEv")) return Copy{.name = "arrow", .built_in = true};
    return std::nullopt;
  }
  Copy copy{.name = stem, .part = stem == "libarrow" ? "" : stem};
  int number = 0;
  std::from_chars(file.name.version.data(), file.name.version.data() + file.name.version.size(), number);
  if (number >= 100) copy.version = fmt::format("{}.{}", number / 100, number % 100), copy.version_from = "file name";
  return copy;
}

bool owns(std::string_view symbol) { return symbol.find("5arrow") < 8; }

}  // namespace

extern const Family arrow{.title = "Apache Arrow", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
