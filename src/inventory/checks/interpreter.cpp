// Does the Python exist, and were the installed packages made for it? A wheel says in its name which interpreters it
// fits (cp311-cp311-manylinux_2_17_x86_64), its metadata which Python it asks for. pip refuses others at installation,
// but --target, PYTHONPATH, a copied folder or an upgraded interpreter get past pip.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "inventory/check.h"
#include "inventory/wheel_tag.h"

namespace sigwhy::inventory::checks {

namespace {

void look_for_program(const Prospect& p, std::vector<Concern>& concerns) {
  if (p.command.program.empty())
    concerns.push_back({.severity = Severity::ends,
                        .claim = p.command.words.empty() ? "there is no Python on the PATH" : fmt::format("{} is no program that can be started", p.command.wanted),
                        .because = {fmt::format("PATH is {}", p.around.variable("PATH"))},
                        .fix = {"install it, activate its environment, or name it by its path"}});
  else if (!p.command.script.empty() && !is_file(p.command.script))
    concerns.push_back({.severity = Severity::ends,
                        .claim = fmt::format("the script {} does not exist", p.command.script),
                        .because = {fmt::format("it is looked for from {}", p.around.directory)},
                        .fix = {"start it from its folder, or give its whole path"}});
  else if (!p.command.script.empty() && ::access(p.command.script.c_str(), R_OK) != 0)
    concerns.push_back({.severity = Severity::ends,
                        .claim = fmt::format("the script {} may not be read by this user", p.command.script),
                        .because = {"what it imports was therefore not looked at"},
                        .fix = {fmt::format("chmod a+r {}, or run it as its owner", p.command.script)}});
}

bool imported_directly(const Prospect& p, const Distribution& d) {
  return std::ranges::count(p.direct, &d) > 0;
}

void look_at_wheel(const Prospect& p, const Distribution& d, std::vector<Concern>& concerns) {
  if (d.wheel_tags.empty() || p.python.implementation != "cpython") return;
  if (std::ranges::any_of(d.wheel_tags, [&](const std::string& tag) { return fits(tag, p.python.major, p.python.minor); })) return;
  concerns.push_back({.cause = Cause::abi_mismatch,
                      .severity = imported_directly(p, d) ? Severity::ends : Severity::may_end,
                      .claim = fmt::format("{} {} was made for another Python than {}", d.name, d.version, p.python.version),
                      .because = {fmt::format("its wheel fits {}", d.wheel_tags.front()), fmt::format("it lies in {}", d.folder)},
                      .fix = {fmt::format("{} -m pip install --force-reinstall {}", p.python.path, d.name)}});
}

void look_at_python_wanted(const Prospect& p, const Distribution& d, std::vector<Concern>& concerns) {
  if (std::ranges::count(p.python.version, '.') < 2) return;
  const auto wanted = parse_specifiers(d.requires_python);
  if (!wanted || meets(p.python.version, *wanted).value_or(true)) return;
  concerns.push_back({.cause = Cause::python_exception,
                      .severity = Severity::may_end,
                      .claim = fmt::format("{} {} asks for Python {}, this is {}", d.name, d.version, d.requires_python, p.python.version),
                      .because = {fmt::format("its metadata says so, in {}", d.metadata)},
                      .fix = {fmt::format("{} -m pip install {}", p.python.path, d.name), "pip then takes a version that fits"}});
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  look_for_program(p, concerns);
  for (const auto& one : p.needed) {
    look_at_wheel(p, *one.distribution, concerns);
    look_at_python_wanted(p, *one.distribution, concerns);
  }
}

}  // namespace

extern const Check interpreter;
const Check interpreter = {.order = 0, .look = look};

}  // namespace sigwhy::inventory::checks
