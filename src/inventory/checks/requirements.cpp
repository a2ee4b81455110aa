// Is what the imported packages require there, in a version they accept? pip checks that for what it installs, not for
// what it pushes aside meanwhile: installing one package can break another that was fine. Most such environments still
// run, some die at import; so a broken requirement is said, with the package that states it, and never called the cause.
#include <fmt/format.h>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

Cause cause_of(const BrokenRequirement& broken) {
  const auto requirement = parse_requirement(broken.wants);
  const auto name = requirement ? normal_name(requirement->name) : std::string();
  if (name == "protobuf") return Cause::protobuf_conflict;
  return name == "numpy" && broken.found ? Cause::abi_mismatch : Cause::python_exception;
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  for (const auto& package : p.packages)
    for (const auto& broken : package.broken) {
      const auto found = broken.found ? fmt::format("{} is installed", *broken.found) : std::string("which is not installed");
      concerns.push_back({.cause = cause_of(broken),
                          .severity = Severity::may_end,
                          .claim = fmt::format("{} {} requires {}, {}{}", package.name, package.version, broken.wants, broken.found ? "but " : "", found),
                          .because = {fmt::format("its metadata says so; it lies in {}", package.folder)},
                          .fix = {fmt::format("{} -m pip install \"{}\"", p.python.path, broken.wants)}});
    }
}

}  // namespace

extern const Check requirements;
const Check requirements = {.order = 3, .look = look};

}  // namespace sigwhy::inventory::checks
