// What the packages say of the CPU they need, against this one. Each in its own words, where it has any:
//   NumPy     "NumPy was built with baseline optimizations: (SSE SSE2 SSE3)" stands in its main module
//   polars    its list of features in polars/_cpu_check.py
//   any ELF   the property X86_ISA_1_NEEDED, which the dynamic linker itself obeys
// Others state it in their release notes alone; those are in the table, with the place.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "inventory/check.h"
#include "inventory/cpu_needs.h"

namespace sigwhy::inventory::checks {

namespace {

struct Stated {
  const char* package;
  const char* versions;
  const char* features;
  const char* where;
};

constexpr Stated stated[] = {
    {"tensorflow", ">=1.6", "AVX", "release notes of TensorFlow 1.6: prebuilt binaries use AVX instructions"},
    {"tensorflow-cpu", ">=1.6", "AVX", "release notes of TensorFlow 1.6: prebuilt binaries use AVX instructions"},
    {"tensorflow-gpu", ">=1.6", "AVX", "release notes of TensorFlow 1.6: prebuilt binaries use AVX instructions"},
};

void say(const Prospect& p, std::string who, std::string wants, std::string how_known, Severity severity, Cause cause, std::vector<Concern>& concerns) {
  const auto missing = missing_features(wants, p.host.cpu_features);
  if (missing.empty()) return;
  concerns.push_back({.cause = cause,
                      .severity = severity,
                      .claim = fmt::format("{} needs a CPU with {}, which this one has not", who, fmt::join(missing, ", ")),
                      .because = {std::move(how_known), fmt::format("this CPU is {}", p.host.cpu)},
                      .fix = {"install a build of it for older CPUs, or run on a newer CPU"}});
}

void look_at_numpy(const Prospect& p, std::vector<Concern>& concerns) {
  constexpr std::string_view before = "NumPy was built with baseline optimizations: \n(";
  constexpr std::uint64_t most_bytes = 32 << 20;
  const auto module = std::ranges::find_if(p.imports.loaded, [](const LoadedModule& m) { return m.extension && m.name.ends_with("._multiarray_umath"); });
  if (module == p.imports.loaded.end()) return;
  const auto baseline = native::text_behind(module->file, before, ')', most_bytes);
  const auto* numpy = p.installed.find("numpy");
  if (baseline)
    say(p, numpy ? "NumPy " + numpy->version : "NumPy", *baseline, fmt::format("its baseline is {}, as {} says", *baseline, module->file),
        Severity::ends, Cause::python_exception, concerns);
}

void look_at_polars(const Prospect& p, std::vector<Concern>& concerns) {
  const auto* polars = p.needed_named("polars");
  if (!polars) return;
  const auto file = polars->distribution->folder + "/polars/_cpu_check.py";
  const auto text = read_text(file, 1 << 20);
  const auto at = text ? text->find("_POLARS_FEATURE_FLAGS = \"") : std::string::npos;
  if (at == std::string::npos) return;
  const auto open = text->find('"', at), close = text->find('"', open + 1);
  if (close == text->npos) return;
  say(p, "polars " + polars->distribution->version, text->substr(open + 1, close - open - 1), fmt::format("{} lists what it uses", file),
      Severity::may_end, Cause::unsupported_instruction, concerns);
}

void look_at_table(const Prospect& p, std::vector<Concern>& concerns) {
  for (const auto& one : stated) {
    const auto* needed = p.needed_named(one.package);
    // What was compiled here, or by a distribution, was compiled for other CPUs than the wheel.
    if (!needed || !needed->distribution->from_index) continue;
    const auto& d = *needed->distribution;
    if (!meets(d.version, *parse_specifiers(one.versions)).value_or(false)) continue;
    say(p, d.name + " " + d.version, one.features, one.where, Severity::ends, Cause::unsupported_instruction, concerns);
  }
}

void look_at_properties(const Prospect& p, std::vector<Concern>& concerns) {
  for (const auto& library : p.libraries) {
    const auto level = isa_words(library.needs.isa_needed);
    if (level.empty()) continue;
    say(p, std::string(name_of(library.file)), level, fmt::format("{} states it in its ELF properties", library.file),
        library.certain ? Severity::ends : Severity::worth_knowing, Cause::python_exception, concerns);
  }
}

void look(const Prospect& p, std::vector<Concern>& concerns) {
  look_at_numpy(p, concerns);
  look_at_polars(p, concerns);
  look_at_table(p, concerns);
  look_at_properties(p, concerns);
}

}  // namespace

extern const Check cpu;
const Check cpu = {.order = 2, .look = look};

}  // namespace sigwhy::inventory::checks
