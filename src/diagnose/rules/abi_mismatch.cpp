// A compiled module meets another version of what it was built for: of CPython (its symbols start with Py), of NumPy
// (it compares the size of its structs when it is loaded), of the C or C++ library (a version that is not there), of
// another package. The loader and the modules say so themselves.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/import_failure.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_python_symbol(std::string_view symbol) { return symbol.starts_with("Py") || symbol.starts_with("_Py"); }

std::string running(const Facts& f) {
  return f.snapshot.interpreters.empty() ? std::string() : " " + f.snapshot.interpreters[0].version;
}

// "/v/lib/python3.11/site-packages/pandas/_libs/x.so" and a frame of pandas: the package to rebuild.
std::string package_at(const Facts& f, const ImportFailure& failure) {
  constexpr std::string_view folder = "-packages/";
  const auto package = [&](std::string_view file) -> std::string {
    const auto at = file.find(folder);
    if (at == std::string_view::npos) return {};
    const auto rest = file.substr(at + folder.size());
    return std::string(rest.substr(0, rest.find('/')));
  };
  if (auto name = package(failure.module); !name.empty()) return name;
  for (const auto& frame : f.snapshot.python_exceptions[failure.exception].traceback)
    if (auto name = package(frame.file); !name.empty()) return name;
  return {};
}

const Package* installed(const Facts& f, std::string_view name) {
  if (!f.snapshot.inventory) return nullptr;
  for (const auto& package : f.snapshot.inventory->packages)
    if (package.name == name) return &package;
  return nullptr;
}

std::string with_version(const Facts& f, const std::string& name) {
  const auto* package = installed(f, name);
  return package ? name + " " + package->version : name;
}

// "..cpython-313-x86_64-linux-gnu.so" -> "3.13": the interpreter that the file's name states.
std::string python_in_name(std::string_view file) {
  constexpr std::string_view mark = ".cpython-";
  const auto at = file.find(mark);
  const auto digits = at == std::string_view::npos ? "" : file.substr(at + mark.size());
  const auto count = std::min(digits.find_first_not_of("0123456789"), digits.size());
  return count < 2 ? std::string() : fmt::format("{}.{}", digits[0], digits.substr(1, count - 1));
}

// The newest version with the same prefix that the library which lacks one offers: "GLIBCXX_3.4.30".
std::string newest_there(const Facts& f, const ImportFailure& i) {
  if (!f.snapshot.inventory) return {};
  for (const auto& library : f.snapshot.inventory->libraries)
    if (library.module < f.snapshot.modules.size() && library.version && library.version_from == "symbol version" &&
        file_name(f.snapshot.modules[library.module].path).starts_with(file_name(i.provider)))
      return fmt::format("{}{}", i.version.substr(0, i.version.find('_') + 1), *library.version);
  return {};
}

// ": for NumPy 1.x, and run with NumPy 2.0.0", as far as the message says it.
std::string sides_text(const ImportFailure& i) {
  if (i.built_for.empty()) return {};
  return i.sizes_changed ? fmt::format(": for {}, {} now", i.built_for, i.runs_with)
                         : fmt::format(": for {}, and run with {}", i.built_for, i.runs_with);
}

struct Said {
  std::string claim, fix, rival;
  Strength strength = Strength::proven;
};

Said said(const Facts& f, const ImportFailure& i) {
  const auto package = package_at(f, i);
  const auto module = i.module.empty() ? (package.empty() ? std::string("a module") : package) : file_name(i.module);
  const auto whose = package.empty() ? std::string("it") : package;
  if (i.sizes_changed || i.numpy_major)
    return {fmt::format("the compiled modules of {} were built for another version of NumPy than {}{}",
                        package.empty() ? "a package" : with_version(f, package),
                        installed(f, "numpy") ? installed(f, "numpy")->version : "the one installed", sides_text(i)),
            fmt::format("Install a version of {} that was built for this NumPy, or the NumPy it was built for.", whose),
            ""};
  if (i.wrong_machine)
    return {fmt::format("{} was built for another kind of machine", module), "Install the build for this machine.", ""};
  if (!i.version.empty())
    return {fmt::format("{} needs {}, which {} does not have{}", module, i.version,
                        i.provider.empty() ? "the system" : file_name(i.provider),
                        newest_there(f, i).empty() ? "" : fmt::format(" (its newest is {})", newest_there(f, i))),
            "Install a build for this system, or run on a newer one.", ""};
  if (is_python_symbol(i.symbol))
    return {fmt::format("{} needs {}, which this Python{} does not have: it was built for {}", module, i.symbol,
                        running(f),
                        python_in_name(module).empty() ? "another version" : "Python " + python_in_name(module)),
            fmt::format("Build {} again for this interpreter.", module),
            "a module that was linked without a library that it needs", Strength::strong};
  return {fmt::format("{} needs {}, which none of the loaded libraries has: one of the two is of another version",
                      module, one_line(i.symbol, 60)),
          fmt::format("Install {} and the packages it builds on in versions made for each other.", whose),
          "a module that was linked without a library that it needs", Strength::strong};
}

void add_broken(const Facts& f, const std::string& name, Finding& out) {
  const auto* package = installed(f, name);
  if (!package) return;
  const auto index = package - f.snapshot.inventory->packages.data();
  for (const auto& broken : package->broken)
    out.evidence_for.push_back(fact("requirement",
                                    fmt::format("{} {} requires {}; {}", package->name, package->version, broken.wants,
                                                broken.found ? *broken.found + " is installed" : "it is not installed"),
                                    {ref(fmt::format("/inventory/packages/{}", index))}));
}

std::optional<Finding> check(const Facts& f) {
  const auto failure = import_failure(f);
  if (!failure) return std::nullopt;
  const auto words = said(f, *failure);
  Finding out = finding(Cause::abi_mismatch, words.strength, words.claim);
  const auto& e = f.snapshot.python_exceptions[failure->exception];
  out.evidence_for.push_back(fact("exception", fmt::format("{}: {}", class_name(e.type), one_line(e.message, 140)),
                                  {ref(fmt::format("/python_exceptions/{}", failure->exception))}));
  add_broken(f, package_at(f, *failure), out);
  if (!words.rival.empty()) out.rival = words.rival;
  out.fix.push_back(words.fix);
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

}  // namespace

extern const Rule abi_mismatch{.title = "ABI mismatch", .check = check};

}  // namespace sigwhy::diagnose::rules
