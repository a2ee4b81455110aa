// A compiled module meets another version of what it was built for: of CPython (its symbols start with Py), of NumPy
// (it compares the size of its structs when it is loaded), of the C or C++ library (a version that is not there), of
// another package. The loader and the modules say so themselves.
#include <fmt/format.h>

#include "diagnose/array_error.h"
#include "diagnose/import_failure.h"
#include "diagnose/input_file.h"
#include "diagnose/module_files.h"
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

// Python does not see a module that was built for another version: for it there is none of that name.
Finding not_for_this_python(const Facts& f, const OtherPython& other) {
  const auto name = file_name(f.snapshot.inputs[other.input].path);
  const auto& e = f.snapshot.python_exceptions[other.exception];
  Finding out = finding(Cause::abi_mismatch, Strength::strong,
                        fmt::format("{} was built for Python {}, and this is Python {}", one_line(name, 100),
                                    other.built_for, other.runs));
  out.evidence_for.push_back(fact("exception", fmt::format("{}: {}", class_name(e.type), one_line(e.message, 140)),
                                  {ref(fmt::format("/python_exceptions/{}", other.exception))}));
  out.evidence_for.push_back(
      fact("file",
           fmt::format("{} lies where it was looked for, and none for Python {} does", one_line(name, 100), other.runs),
           {input_ref(other.input)}));
  out.rival = "a part of the package that is missing for this Python, while the rest was meant for it";
  out.fix.push_back(fmt::format("Install the package for Python {}, or run the program with Python {}.", other.runs,
                                other.built_for));
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  return out;
}

std::optional<Finding> check(const Facts& f) {
  const auto failure = import_failure(f);
  if (const auto other = failure ? std::nullopt : other_python(f)) return not_for_this_python(f, *other);
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
