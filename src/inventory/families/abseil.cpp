// Abseil is many small libraries or part of a larger one; who defines its Mutex holds a copy. Releases live in a
// namespace of their own (absl::lts_20230125), so that different ones do not meet; builds from its head do.
#include <fmt/format.h>

#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

constexpr int releases[] = {20200923, 20210324, 20211102, 20220623, 20230125, 20230802,
                            20240116, 20240722, 20250127, 20250512, 20250814};

// lock() is the newer name; for some releases both exist.
bool has_mutex(const LoadedFile& file, const std::string& space) {
  return file.defines("_ZN4absl" + space + "5Mutex4LockEv") || file.defines("_ZN4absl" + space + "5Mutex4lockEv");
}

std::optional<Copy> recognise(const LoadedFile& file) {
  const bool built_in = !file.name.stem.starts_with("libabsl");
  if (!built_in && file.name.stem != "libabsl_synchronization") return std::nullopt;
  if (has_mutex(file, "")) return Copy{.name = "abseil", .built_in = built_in};
  for (const int release : releases)
    if (has_mutex(file, fmt::format("12lts_{}", release)))
      return Copy{.name = "abseil",
                  .version = std::to_string(release),
                  .version_from = "names of its symbols",
                  .built_in = built_in};
  return std::nullopt;
}

bool owns(std::string_view symbol) { return symbol.find("4absl") < 8; }

}  // namespace

extern const Family abseil{.title = "abseil", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
