// A library from elsewhere took the place of the one a module was built with: LD_LIBRARY_PATH of a module system, a
// second libstdc++ of a Conda prefix. Seen by a symbol or version that the module's own copy would have; or, after a
// crash, by a call on the stack that left the copy its caller was linked with for another of the same family, or by a
// block that one allocator made and another was given.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/foreign_free.h"
#include "diagnose/import_failure.h"
#include "diagnose/library_copies.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_system_library(std::string_view path) { return path.starts_with("/lib") || path.starts_with("/usr/lib"); }

// The loader names the copy that it found: one from a prefix of its own, for a module that may come from anywhere.
bool is_foreign_copy(const ImportFailure& i) {
  return !i.version.empty() && i.provider.find('/') != std::string::npos && !is_system_library(i.provider);
}

// The C++ runtime is left out: it is made to serve code of older compilers, whoever brought it. protobuf and OpenMP have
// rules of their own.
bool is_judged_here(std::string_view family) {
  return family != "cpp-runtime" && family != "protobuf" && family != "openmp";
}

std::optional<Finding> by_crossing(const Facts& f) {
  if (!died_by_its_own_doing(f)) return std::nullopt;
  for (const auto& copies : doubled_families(f.snapshot)) {
    const auto call = is_judged_here(copies.family) ? crossed_call(f.snapshot, f.thread, copies.family) : std::nullopt;
    if (!call) continue;
    const bool differ = may_differ(f.snapshot, *call);
    Finding out = finding(
        Cause::mixed_libraries, differ ? Strength::strong : Strength::plausible,
        fmt::format("two copies of one library met: a call meant for {} {} in {}", copy_text(f.snapshot, call->expected),
                    differ ? "ended" : "may have ended", copy_text(f.snapshot, call->called)));
    out.evidence_for.push_back(crossed_fact(f.snapshot, *call));
    for (const auto i : copies.libraries) out.evidence_for.push_back(copy_fact(f.snapshot, i));
    out.rival = "a fault in that call that would also happen with one copy";
    out.fix.push_back("Take the packages that bring the two copies from one source, or in versions that share one.");
    if (auto order = other_order_text(f.snapshot, call->called, call->expected)) out.fix.push_back(*order);
    out.whose = Whose::environment;
    out.retryable = Retryable::no;
    out.prediction = "without one of the two copies it does not die here";
    return out;
  }
  return std::nullopt;
}

std::optional<Finding> by_import(const Facts& f) {
  const auto failure = import_failure(f);
  if (!failure || (failure->symbol.empty() && failure->version.empty())) return std::nullopt;
  if (failure->symbol.starts_with("Py") || failure->symbol.starts_with("_Py")) return std::nullopt;
  const auto override = library_override(f);
  const bool foreign = is_foreign_copy(*failure);
  if (!override && !foreign) return std::nullopt;
  const auto module = failure->module.empty() ? std::string("a module") : file_name(failure->module);
  const auto needs = failure->symbol.empty() ? failure->version : one_line(failure->symbol, 60);
  Finding out =
      finding(Cause::mixed_libraries, Strength::strong,
              foreign ? fmt::format("{} needs {}, and the copy that was found first, {}, does not have it", module,
                                    needs, one_line(failure->provider, 80))
                      : fmt::format("{} needs {}; {} puts other libraries in front of those it was built with", module,
                                    needs, *override));
  const auto& e = f.snapshot.python_exceptions[failure->exception];
  out.evidence_for.push_back(fact("exception", fmt::format("{}: {}", class_name(e.type), one_line(e.message, 140)),
                                  {ref(fmt::format("/python_exceptions/{}", failure->exception))}));
  if (override)
    out.evidence_for.push_back(fact("environment", fmt::format("{} is set", *override),
                                    {ref(fmt::format("/process/switches/{}", *override))}));
  out.rival = "a module that was built for another version of that library";
  out.fix.push_back(override
                        ? fmt::format("Run it without {}, or with only the folders that it needs there.", *override)
                        : "Take the module and that library from one source.");
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = "without the other copy it does not fail here";
  return out;
}

std::optional<Finding> check(const Facts& f) {
  if (f.failure) return by_import(f);
  auto crossed = by_crossing(f);
  return crossed ? crossed : mixed_allocators(f);
}

}  // namespace

extern const Rule mixed_libraries{.title = "mixed libraries", .check = check};

}  // namespace sigwhy::diagnose::rules
