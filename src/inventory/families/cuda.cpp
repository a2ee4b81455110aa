// The CUDA toolkit is a dozen libraries; each is a part of its own. The driver (libcuda) comes from the machine, the
// rest from wheels (nvidia-*), Conda or /usr/local/cuda; the runtime may be linked statically into a framework.
#include <algorithm>
#include <array>

#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

constexpr std::array<std::string_view, 14> parts = {
    "libcuda",     "libcudart",   "libcublas",   "libcublasLt",  "libcufft", "libcurand", "libcusolver",
    "libcusparse", "libnvrtc",    "libnvJitLink", "libnvToolsExt", "libcupti", "libcufile", "libcusparseLt"};

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  if (std::ranges::count(parts, stem) > 0) {
    Copy copy{.name = stem, .part = stem};
    if (!file.name.version.empty()) copy.version = file.name.version, copy.version_from = "file name";
    return copy;
  }
  if (file.defines("cudaMalloc")) return Copy{.name = "libcudart", .part = "libcudart", .built_in = true};
  return std::nullopt;
}

bool owns(std::string_view symbol) { return symbol.starts_with("cuda") || symbol.starts_with("cublas"); }

}  // namespace

extern const Family cuda{.title = "CUDA", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
