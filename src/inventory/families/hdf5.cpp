// HDF5 checks at its first call that headers and library are of one version, and aborts where they are not.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  const auto& stem = file.name.stem;
  const bool own_file = stem == "libhdf5" || stem == "libhdf5_serial";
  if (stem.starts_with("libhdf5") && !own_file) return Copy{.name = stem, .part = stem};
  if (!own_file && !file.defines("H5get_libversion")) return std::nullopt;
  Copy copy{.name = "libhdf5", .built_in = !own_file};
  if (const auto text = native::number_behind(file.elf, "HDF5 library version: ")) {
    copy.version = first_word(*text);
    copy.version_from = "text in the file";
  }
  return copy;
}

bool owns(std::string_view symbol) { return symbol.starts_with("H5"); }

}  // namespace

extern const Family hdf5{.title = "HDF5", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
