// NVIDIA's collectives: a library of its own, or linked into a framework.
#include "inventory/family.h"

namespace sigwhy::inventory::families {

namespace {

std::optional<Copy> recognise(const LoadedFile& file) {
  const bool own_file = file.name.stem == "libnccl";
  if (!own_file && !file.defines("ncclGetVersion")) return std::nullopt;
  Copy copy{.name = "libnccl", .built_in = !own_file};
  if (const auto text = native::number_behind(file.elf, "NCCL version ")) {
    copy.version = first_word(*text);
    copy.version_from = "text in the file";
  }
  return copy;
}

bool owns(std::string_view symbol) { return symbol.starts_with("nccl"); }

}  // namespace

extern const Family nccl{.title = "NCCL", .recognise = recognise, .owns = owns};

}  // namespace sigwhy::inventory::families
