// Versions of the C and C++ library that an extension asks for (GLIBC_2.34, GLIBCXX_3.4.30, CXXABI_1.3.13) and that the
// library which would serve it does not have: the dynamic linker refuses to load it. So it goes with wheels that were
// built on a newer system, and with an old libstdc++ in front of the system's (conda, LD_LIBRARY_PATH).
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

const LoadedLibrary* serving(const Prospect& p, const std::string& name) {
  const auto found = std::ranges::find_if(p.libraries, [&](const LoadedLibrary& l) { return l.name == name; });
  return found == p.libraries.end() ? nullptr : &*found;
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  std::set<std::string> said;
  for (const auto& library : p.libraries)
    for (const auto& need : library.needs.versions) {
      const auto* server = serving(p, need.library);
      // A library without any versions serves every one; the linker says nothing.
      if (!server || need.weak || server->needs.defines.empty() || std::ranges::count(server->needs.defines, need.version)) continue;
      if (!said.insert(library.file + need.version).second) continue;
      std::vector<std::string> because = {fmt::format("{} asks for it", library.file), fmt::format("{} would serve it and has no such version", server->file)};
      if (!library.module.empty()) because.push_back(fmt::format("it is loaded for the module {}", library.module));
      concerns.push_back({.cause = Cause::abi_mismatch,
                          .severity = library.certain ? Severity::ends : Severity::worth_knowing,
                          .claim = fmt::format("{} needs a newer {}: {}", name_of(library.file), need.library, need.version),
                          .because = std::move(because),
                          .fix = {need.library == "libc.so.6" ? "install a version of the package that is built for this system, or use a newer system"
                                                              : fmt::format("see that a newer {} is found first", need.library)}});
    }
}

}  // namespace

extern const Check symbol_versions;
const Check symbol_versions = {.order = 2, .look = look};

}  // namespace sigwhy::inventory::checks
