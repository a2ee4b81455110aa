// NumPy's C API is a table of pointers inside one extension module; others reach it through Python, never through the
// dynamic loader. Its folder is called core up to 1.x and _core since 2.0.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  if (!file.name.stem.starts_with("_multiarray_umath")) return std::nullopt;
  const bool second = file.module.path.find("/_core/") != std::string::npos;
  return Copy{.name = "NumPy", .version = second ? "2" : "1", .version_from = "its folder's name"};
}

}  // namespace

extern const Family numpy_c_api{.title = "NumPy's C API", .recognise = recognise};

}  // namespace sigwhy::inventory::families
