// Libraries look at the processor and choose among kernels. Told to do without its newer extensions, they take the
// plain ones: what dies only in an AVX2 or AVX-512 kernel, or at an instruction that this machine lacks, then lives.
// Each library has its own switch; one that asks the processor itself (CPUID) is not reached.
#include "experiment/subject.h"

namespace sigwhy::experiment::variations {

static constexpr std::pair<const char*, const char*> switches[] = {
    {"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX2,-AVX,-FMA,-BMI2,-ERMS"},
    {"NPY_DISABLE_CPU_FEATURES",
     "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR X86_V3 X86_V4"},
    {"ATEN_CPU_CAPABILITY", "default"},
    {"ONEDNN_MAX_CPU_ISA", "SSE41"},
    {"DNNL_MAX_CPU_ISA", "SSE41"},
    {"MKL_ENABLE_INSTRUCTIONS", "SSE4_2"},
    {"OPENBLAS_CORETYPE", "Nehalem"},
    {"XLA_FLAGS", "--xla_cpu_max_isa=SSE4_2"},
};

static Plan plan(const Subject& subject) {
  const bool illegal = finding_of(subject.before, Cause::unsupported_instruction) != nullptr;
  if (!has_death(subject)) return std::unexpected("it did not die");
  bool reached = illegal;
  for (const char* package : {"numpy", "scipy", "torch", "tensorflow", "jaxlib", "sklearn"})
    reached |= has_package(subject, package);
  for (const char* library : {"libopenblas", "libmkl", "libblas", "libtorch", "libtensorflow", "libdnnl", "_multiarray_umath"})
    reached |= has_library(subject, library);
  if (!reached) return std::unexpected("no library that chooses kernels by the processor was loaded");
  Planned planned{.words = "without AVX",
                  .cause = illegal ? Cause::unsupported_instruction : Cause::unknown,
                  .prediction = "with kernels for an older processor it does not die",
                  .rival = "other kernels also read other amounts at once and use memory differently",
                  .fix = "the switches of the libraries that choose kernels (NPY_DISABLE_CPU_FEATURES, "
                         "ATEN_CPU_CAPABILITY, ONEDNN_MAX_CPU_ISA, OPENBLAS_CORETYPE) avoid it",
                  .rank = illegal ? 80 : 30,
                  .why = "libraries that choose kernels by the processor were loaded"};
  for (const auto& [name, value] : switches)
    if (!variable(subject.recipe, name)) planned.change.set.emplace_back(name, value);
  return planned;
}

extern const Variation cpu_masked;
const Variation cpu_masked = {.title = "older CPU", .plan = plan};

}  // namespace sigwhy::experiment::variations
