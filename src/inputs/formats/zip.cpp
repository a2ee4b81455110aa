// A zip archive that no other format here claims; PyTorch's .pt and .pth files are such.
#include "inputs/format.h"
#include "inputs/verdict.h"
#include "inputs/zip_archive.h"

namespace sigwhy::inputs::formats {

namespace {

Likeness likeness(std::string_view path, std::string_view first) {
  if (first.starts_with(zip_magic) || first.starts_with(zip_end_magic)) return Likeness::as_wrapper;
  return path.ends_with(".zip") ? Likeness::by_name : Likeness::none;
}

Checked check(const FileBytes& file) {
  auto archive = read_zip(file);
  for (const auto& member : archive.members) {
    if (archive.flaw) break;
    if (!other_packing(member).empty()) continue;
    archive.flaw = check_zip_data(file, member, [](std::span<const char>) {});
  }
  if (archive.flaw) return {.soundness = Soundness::broken, .flaw = archive.flaw};
  if (const auto why = packed_otherwise(archive); !why.empty()) return not_checked(why);
  auto whole = sound(counted(archive.members.size(), "member"));
  if (archive.prefix_bytes > 0)
    whole.remarks.push_back(counted(archive.prefix_bytes, "byte") + " stand before the archive");
  return whole;
}

}  // namespace

extern const Format zip{.title = "zip archive", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
