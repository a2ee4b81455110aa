// Intel's Threading Building Blocks and its allocator.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  const bool own_file = stem == "libtbb" || stem.starts_with("libtbbmalloc");
  if (!own_file && !file.defines("TBB_runtime_version")) return std::nullopt;
  Copy copy{.name = own_file ? stem : "libtbb", .part = stem == "libtbb" || !own_file ? "" : stem};
  copy.built_in = !own_file;
  if (!file.name.version.empty() && own_file) copy.version = file.name.version, copy.version_from = "file name";
  return copy;
}

bool owns(std::string_view symbol) { return symbol.find("3tbb") < 8; }

}  // namespace

extern const Family tbb{.title = "TBB", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
