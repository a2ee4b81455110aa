// Two copies of a library that cannot stand a second one. The OpenMP runtimes of Intel and LLVM (libiomp5, libomp) are
// one family: the second that starts finds the first and aborts ("OMP: Error #15"), unless KMP_DUPLICATE_LIB_OK is set.
// GNU's libgomp beside them is common and mostly harmless. Two shared libprotobuf register the same messages, or one is
// called with the other's objects.
#include <fmt/format.h>

#include <algorithm>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

struct Family {
  const char* title;
  Cause cause;
  bool (*has)(std::string_view name);
  const char* fix;
};

bool is_intel_openmp(std::string_view name) {
  return name.starts_with("libiomp5") || name.starts_with("libomp.so") || name.starts_with("libomp-") || name.starts_with("libomp5");
}
bool is_protobuf(std::string_view name) { return name.starts_with("libprotobuf.so") || name.starts_with("libprotobuf-"); }

constexpr Family families[] = {
    {"OpenMP runtimes of the Intel/LLVM family", Cause::openmp_conflict, is_intel_openmp,
     "install packages that share one (conda's do); KMP_DUPLICATE_LIB_OK=TRUE only hides the abort"},
    {"protobuf libraries", Cause::protobuf_conflict, is_protobuf, "install versions of these packages that use one protobuf"},
};

void look_at(const Prospect& p, const Family& family, std::vector<Concern>& concerns) {
  std::vector<const LoadedLibrary*> copies;
  std::vector<std::string> files;
  for (const auto& library : p.libraries) {
    const auto file = real_path(library.file);
    if (!family.has(name_of(library.file)) || std::ranges::count(files, file)) continue;
    copies.push_back(&library);
    files.push_back(file);
  }
  if (copies.size() < 2) return;
  std::vector<std::string> because;
  for (const auto* copy : copies)
    because.push_back(fmt::format("{} is loaded {}", copy->file, copy->by.empty() ? "as the module " + copy->module : "for " + copy->by));
  const bool certain = std::ranges::all_of(copies, &LoadedLibrary::certain);
  concerns.push_back({.cause = family.cause,
                      .severity = certain ? Severity::may_end : Severity::worth_knowing,
                      .claim = fmt::format("{} {} would be loaded together", copies.size(), family.title),
                      .because = std::move(because),
                      .fix = {family.fix}});
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  const auto tolerated = p.around.variable("KMP_DUPLICATE_LIB_OK");
  const bool openmp_may = tolerated == "TRUE" || tolerated == "true" || tolerated == "1";
  for (const auto& family : families)
    if (!(openmp_may && family.cause == Cause::openmp_conflict)) look_at(p, family, concerns);
}

}  // namespace

extern const Check doubled_libraries;
const Check doubled_libraries = {.order = 4, .look = look};

}  // namespace sigwhy::inventory::checks
