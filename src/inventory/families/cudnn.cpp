// cuDNN is one library that opens several more of the same version; each is a part of its own.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  if (!file.name.stem.starts_with("libcudnn")) return std::nullopt;
  Copy copy{.name = file.name.stem, .part = file.name.stem};
  if (!file.name.version.empty()) copy.version = file.name.version, copy.version_from = "file name";
  return copy;
}

bool owns(std::string_view symbol) { return symbol.starts_with("cudnn"); }

}  // namespace

extern const Family cudnn{.title = "cuDNN", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
