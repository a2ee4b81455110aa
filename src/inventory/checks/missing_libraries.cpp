// Shared libraries that an extension module needs and that the dynamic linker would find nowhere. Packages may load such
// a library themselves, from a folder that only they know, before the module that needs it: so it counts as there if any
// installed package brings a file of that name.
#include <fmt/format.h>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

void look(const Prospect& p, std::vector<Concern>& concerns) {
  for (const auto& library : p.libraries)
    for (const auto& missing : library.missing) {
      if (p.installed.has_file_named(missing)) continue;
      const bool is_driver = missing.starts_with("libcuda.so") || missing.starts_with("libnvidia-");
      std::vector<std::string> because = {fmt::format("{} needs it", library.file)};
      if (!library.module.empty()) because.push_back(fmt::format("it is loaded for the module {}", library.module));
      concerns.push_back({.cause = Cause::python_exception,
                          .severity = library.certain ? Severity::ends : Severity::worth_knowing,
                          .claim = fmt::format("the library {} is nowhere to be found", missing),
                          .because = std::move(because),
                          .fix = {is_driver ? "install the NVIDIA driver, or the build of the package for CPUs"
                                            : fmt::format("install the system package that has {}, or add its folder to LD_LIBRARY_PATH", missing)}});
    }
}

}  // namespace

extern const Check missing_libraries;
const Check missing_libraries = {.order = 2, .look = look};

}  // namespace sigwhy::inventory::checks
