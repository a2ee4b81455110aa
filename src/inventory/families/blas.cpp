// Linear algebra. NumPy's and SciPy's wheels each carry an OpenBLAS with names of its own (scipy_openblas_, 64_ behind
// the names), so that two of them are usual and harmless.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

Copy openblas(const LoadedFile& file, bool built_in) {
  Copy copy{.name = "OpenBLAS", .built_in = built_in};
  if (const auto text = native::number_behind(file.elf, "OpenBLAS ")) {
    copy.version = first_word(*text);
    copy.version_from = "text in the file";
  }
  return copy;
}

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  const bool is_openblas = stem.starts_with("libopenblas") || stem.starts_with("libscipy_openblas");
  if (is_openblas) return openblas(file, false);
  if (stem == "libmkl_rt" || stem == "libmkl_core") return Copy{.name = "MKL", .part = stem};
  if (stem == "libblis" || stem == "libflexiblas" || stem == "libatlas") return Copy{.name = stem.substr(3)};
  if (stem == "libblas" || stem == "libcblas") return Copy{.name = stem, .part = stem};
  if (file.defines("openblas_get_config") || file.defines("openblas_get_config64_")) return openblas(file, true);
  if (file.defines("mkl_get_version_string") || file.defines("MKL_Get_Version_String"))
    return Copy{.name = "MKL", .part = "libmkl_rt", .built_in = true};
  return std::nullopt;
}

bool owns(std::string_view symbol) {
  return symbol.starts_with("cblas_") || symbol.starts_with("openblas_") || symbol == "dgemm_" || symbol == "sgemm_" ||
         symbol.starts_with("LAPACKE_");
}

}  // namespace

extern const Family blas{.title = "BLAS", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
