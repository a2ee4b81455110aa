// NumPy's .npz: a zip archive whose members are .npy files, stored (savez) or deflated (savez_compressed).
#include "inputs/format.h"
#include "inputs/npy_header.h"
#include "inputs/verdict.h"
#include "inputs/zip_archive.h"

namespace sigwhy::inputs::formats {

namespace {

Likeness likeness(std::string_view path, std::string_view first) {
  const bool is_zip = first.starts_with(zip_magic);
  if (is_zip && (path.ends_with(".npz") || first_zip_member(first).ends_with(".npy"))) return Likeness::by_content;
  return path.ends_with(".npz") ? Likeness::by_name : Likeness::none;
}

// The data once through, of which only the start is kept: that is all that an array says of itself.
Checked check_member(const FileBytes& file, const ZipMember& member) {
  std::string start;
  const auto flaw = check_zip_data(file, member, [&](std::span<const char> piece) {
    const auto room = npy_start_bytes - std::min<std::uint64_t>(npy_start_bytes, start.size());
    start.append(piece.data(), std::min<std::size_t>(piece.size(), room));
  });
  if (flaw) return {.soundness = Soundness::broken, .flaw = flaw};
  if (!member.entry.name.ends_with(".npy")) return sound("");
  auto checked = check_npy(member.entry.bytes, [&](std::uint64_t offset, std::uint64_t bytes) {
    return offset < start.size() ? start.substr(offset, bytes) : std::string();
  });
  if (checked.flaw) checked.flaw->inside = in_archive(member);
  return checked;
}

Checked check(const FileBytes& file) {
  const auto archive = read_zip(file);
  if (archive.flaw) return {.soundness = Soundness::broken, .flaw = archive.flaw};
  if (archive.prefix_bytes > 0) return broken(0, "", "it does not begin with PK, by which NumPy knows an archive");
  constexpr std::size_t most_remarks = 8;
  std::uint64_t arrays = 0;
  std::vector<std::string> remarks;
  for (const auto& member : archive.members) {
    if (!other_packing(member).empty()) continue;
    auto checked = check_member(file, member);
    if (checked.soundness != Soundness::sound) return checked;
    arrays += member.entry.name.ends_with(".npy");
    for (const auto& remark : checked.remarks)
      if (remarks.size() < most_remarks) remarks.push_back(shown(member.entry.name) + ": " + remark);
  }
  if (const auto why = packed_otherwise(archive); !why.empty()) return not_checked(why);
  auto whole = sound(counted(arrays, "array"));
  whole.remarks = remarks;
  return whole;
}

}  // namespace

extern const Format npz{.title = "NumPy archive", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
