// Extension modules that were compiled for NumPy 1 while NumPy 2 is installed. The C API changed: such a module fails at
// import ("numpy.core.multiarray failed to import") or goes on without NumPy. Headers of NumPy 1 make a module look for
// its C API in numpy.core, those of NumPy 2 in numpy._core first; the name stands in the module as text. NumPy 1 takes
// modules of both.
#include <fmt/format.h>

#include <set>

#include "inventory/check.h"

namespace sigwhy::inventory::checks {

namespace {

constexpr std::uint64_t most_bytes = 48 << 20;  // of one module's texts

bool is_for_numpy_1(const std::string& file) {
  const auto has = native::has_texts(file, {"numpy.core._multiarray_umath", "numpy.core.multiarray", "numpy._core"}, most_bytes);
  return has && ((*has)[0] || (*has)[1]) && !(*has)[2];
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  const auto* numpy = p.installed.find("numpy");
  const auto version = numpy ? parse_version(numpy->version) : std::nullopt;
  if (!version || version->release[0] < 2) return;
  std::set<std::string> said;
  for (const auto& module : p.imports.loaded) {
    const auto top = module.name.substr(0, module.name.find('.'));
    if (!module.extension || top == "numpy" || said.contains(top) || !is_for_numpy_1(module.file)) continue;
    said.insert(top);
    const auto* owner = p.owner_of(module.file);
    concerns.push_back({.cause = Cause::abi_mismatch,
                        .severity = Severity::may_end,
                        .claim = fmt::format("{} was compiled for NumPy 1, installed is {}", owner ? owner->name + " " + owner->version : top, numpy->version),
                        .because = {fmt::format("{} looks for the C API of NumPy 1", module.file),
                                    fmt::format("it is imported by {}:{}", module.line.file, module.line.line)},
                        .fix = {fmt::format("{} -m pip install \"numpy<2\"", p.python.path), fmt::format("or a version of {} that is built for NumPy 2", owner ? owner->name : top)}});
  }
}

}  // namespace

extern const Check numpy_abi;
const Check numpy_abi = {.order = 2, .look = look};

}  // namespace sigwhy::inventory::checks
