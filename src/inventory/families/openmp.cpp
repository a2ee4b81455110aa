// GNU's libgomp, Intel's libiomp5 and LLVM's libomp. The last two are one code base and export the same internal names
// (__kmp_*): loaded together, one calls into the other. They also offer GNU's entry points (GOMP_*).
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

constexpr const char* symbols_text = "symbol version";
constexpr const char* constant_text = "text in the file";

Copy of_llvm(const LoadedFile& file, bool built_in) {
  for (const auto& [name, mark] : {std::pair{"libiomp5 (Intel)", "Intel(R) OMP version: "},
                                   std::pair{"libomp (LLVM)", "LLVM OMP version: "}})
    if (auto version = native::number_behind(file.elf, mark))
      return {.name = name, .version = first_word(*version), .version_from = constant_text, .built_in = built_in};
  return {.name = file.name.stem == "libiomp5" ? "libiomp5 (Intel)" : "libomp (LLVM)", .built_in = built_in};
}

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  if (stem == "libiomp5" || stem == "libomp" || stem.starts_with("libomp-")) return of_llvm(file, false);
  const bool gnu = stem == "libgomp";
  if (!gnu && file.defines("__kmpc_fork_call")) return of_llvm(file, true);
  if (!gnu && !file.defines("GOMP_parallel")) return std::nullopt;
  Copy copy{.name = "libgomp (GNU)", .version = highest_version(file, "GOMP_"), .built_in = !gnu};
  if (copy.version) copy.version_from = symbols_text;
  return copy;
}

bool owns(std::string_view symbol) {
  return symbol.starts_with("omp_") || symbol.starts_with("__kmp") || symbol.starts_with("GOMP_") ||
         symbol.starts_with("kmp_");
}

}  // namespace

extern const Family openmp{.title = "OpenMP runtime", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
