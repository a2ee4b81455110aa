// A library from elsewhere took the place of the one a module was built with: LD_LIBRARY_PATH of a module system, a
// second libstdc++ of a Conda prefix. Seen by a symbol or version that the module's own copy would have.
#include <fmt/format.h>

#include <algorithm>

#include "diagnose/array_error.h"
#include "diagnose/import_failure.h"
#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

bool is_system_library(std::string_view path) { return path.starts_with("/lib") || path.starts_with("/usr/lib"); }

// The loader names the copy that it found: one from a prefix of its own, for a module that may come from anywhere.
bool is_foreign_copy(const ImportFailure& i) {
  return !i.version.empty() && i.provider.find('/') != std::string::npos && !is_system_library(i.provider);
}

std::optional<Finding> check(const Facts& f) {
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

}  // namespace

extern const Rule mixed_libraries{.title = "mixed libraries", .check = check};

}  // namespace sigwhy::diagnose::rules
