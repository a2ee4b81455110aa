// libstdc++ (its symbol versions count 3.4.x; 3.4.30 is GCC 12), libc++, libgcc_s for unwinding. A static copy that
// exports its symbols, or an older one found first, gives std:: types of one compiler to code of another.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  if (stem == "libstdc++")
    return Copy{.name = stem, .version = highest_version(file, "GLIBCXX_"), .version_from = "symbol version"};
  if (stem == "libgcc_s")
    return Copy{.name = stem, .part = stem, .version = highest_version(file, "GCC_"), .version_from = "symbol version"};
  if (stem == "libc++" || stem == "libc++abi") return Copy{.name = stem, .part = stem};
  if (file.defines("_ZSt9terminatev") && file.defines("__cxa_throw"))
    return Copy{.name = file.defines("_ZNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEE6appendEPKc")
                            ? "libc++"
                            : "libstdc++",
                .built_in = true};
  return std::nullopt;
}

bool owns(std::string_view symbol) {
  return symbol.starts_with("_ZNSt") || symbol.starts_with("_ZNKSt") || symbol.starts_with("_ZSt") ||
         symbol.starts_with("__cxa_");
}

}  // namespace

extern const Family cpp_runtime{.title = "C++ runtime", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
