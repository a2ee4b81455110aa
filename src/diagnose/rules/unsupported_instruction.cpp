// The program was built for a newer CPU than this one. SIGILL alone does not say that: ud2 is a program that stops
// itself, and bytes that are no instruction are a jump into data. The instruction's own feature must be missing here.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "diagnose/phrases.h"
#include "diagnose/rule.h"

namespace sigwhy::diagnose::rules {

namespace {

std::string list(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names) out += (out.empty() ? "" : ", ") + name;
  return one_line(out, 60);
}

// The levels that compilers and packages are built for, and what each adds, as /proc/cpuinfo names it.
struct Level {
  int number;
  std::vector<std::string_view> adds;
};
const Level levels[] = {{2, {"cx16", "popcnt", "ssse3", "sse4_1", "sse4_2"}},
                        {3, {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "movbe"}},
                        {4, {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}};

int level_of(const std::vector<std::string>& features) {
  int level = 1;
  for (const auto& next : levels) {
    if (!std::ranges::all_of(next.adds, [&](auto flag) { return std::ranges::count(features, flag) > 0; })) break;
    level = next.number;
  }
  return level;
}

std::string level_text(int level) { return level == 1 ? "x86-64" : fmt::format("x86-64-v{}", level); }

// Libraries that choose their code by the CPU can be told to choose lower.
std::optional<std::string> dispatch_switch(const Facts& f, std::uint64_t module, int level) {
  const auto by_level = [&](const char* v2, const char* v3, const char* v4) {
    return level >= 4 ? v4 : level == 3 ? v3 : v2;
  };
  if (const auto& s = f.snapshot; s.inventory)
    for (const auto& library : s.inventory->libraries) {
      if (library.module != module) continue;
      if (library.name == "OpenBLAS")
        return fmt::format("OPENBLAS_CORETYPE={}", by_level("Nehalem", "Haswell", "SkylakeX"));
      if (library.name == "MKL")
        return fmt::format("MKL_ENABLE_INSTRUCTIONS={}", by_level("SSE4_2", "AVX2", "AVX512"));
    }
  const bool onednn = std::ranges::any_of(f.frames, [](const FrameFact& frame) {
    return frame.function.starts_with("dnnl::") || frame.function.starts_with("dnnl_");
  });
  if (onednn) return fmt::format("ONEDNN_MAX_CPU_ISA={}", by_level("SSE41", "AVX2", "AVX512_CORE"));
  return std::nullopt;
}

void add_what_runs(const Facts& f, Finding& out) {
  const auto level = level_of(f.snapshot.host.cpu_features);
  const auto frame = f.dying && !f.dying->frames.empty() ? f.dying->frames[0].module : std::nullopt;
  const Module* module = frame && *frame < f.snapshot.modules.size() ? &f.snapshot.modules[*frame] : nullptr;
  if (const auto setting = module ? dispatch_switch(f, *frame, level) : std::nullopt)
    out.fix.push_back(fmt::format("Set {}: that library chooses its code by the CPU and can be told to choose lower.",
                                  *setting));
  const auto what = module ? one_line(file_name(module->path), 60) : std::string("it");
  out.fix.push_back(module && module->package
                        ? fmt::format("Install a build of {} for {} (a generic or older wheel): {} comes with it.",
                                      *module->package, level_text(level), what)
                        : fmt::format("Compile {} for this CPU (-march={} at the most, not -march=native on another "
                                      "machine), or run it on one that has the feature.",
                                      what, level_text(level)));
}

std::optional<Finding> check(const Facts& f) {
  if (f.signal != SIGILL || f.raised != Raised::by_instruction || f.jump || !f.instruction) return std::nullopt;
  const Instruction& i = *f.instruction;
  if (i.deliberate_trap || !i.missing_features || i.missing_features->empty()) return std::nullopt;
  const auto place = place_of(f.snapshot, f.snapshot.fault->pc);
  const Region* at = region_at(f, place);
  const bool in_file = at && at->kind == RegionKind::file;
  const auto missing = list(*i.missing_features);
  Finding out = finding(Cause::unsupported_instruction, in_file ? Strength::proven : Strength::strong,
                        fmt::format("{} used `{}`, which needs {}; this CPU has no {}", subject(f),
                                    one_line(i.mnemonic, 20), missing, missing));
  out.evidence_for.push_back(fact("instruction", fmt::format("`{}` belongs to {}", one_line(i.text, 60), i.extension),
                                  {ref("/fault/instruction")}));
  out.evidence_for.push_back(
      fact("features", fmt::format("the CPU ({}) does not list {}", one_line(f.snapshot.host.cpu, 60), missing),
           {ref("/fault/instruction/missing_features"), ref("/host/cpu_features")}));
  if (!in_file) out.rival = "data or generated code that happens to decode to it";
  add_what_runs(f, out);
  out.whose = Whose::environment;
  out.retryable = Retryable::no;
  out.prediction = fmt::format("on a machine with {} it does not die here", missing);
  return out;
}

}  // namespace

extern const Rule unsupported_instruction{.title = "unsupported instruction", .check = check};

}  // namespace sigwhy::diagnose::rules
