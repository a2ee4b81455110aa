// Keras 3's .keras: a zip archive of config.json (the layers), metadata.json (who wrote it) and the weights, as HDF5
// (model.weights.h5) or NumPy archive. Keras cannot load it without config.json or without weights.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "base/owned_fd.h"
#include "inputs/format.h"
#include "inputs/json_text.h"
#include "inputs/verdict.h"
#include "inputs/zip_archive.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr std::string_view config_name = "config.json", metadata_name = "metadata.json", weights_name = "model.weights.h5";
constexpr std::string_view hdf5_magic = "\x89HDF\r\n\x1a\n";

Likeness likeness(std::string_view path, std::string_view first) {
  const auto member = first_zip_member(first);
  const bool is_zip = first.starts_with(zip_magic);
  if (is_zip && (path.ends_with(".keras") || member == metadata_name || member == config_name)) return Likeness::by_content;
  return path.ends_with(".keras") ? Likeness::by_name : Likeness::none;
}

// A file without a name, on the disk that temporary files go to.
OwnedFd nameless_file() {
  const char* folder = ::getenv("TMPDIR");
  std::string path = std::string(folder && *folder ? folder : "/tmp") + "/sigwhy-XXXXXX";
  OwnedFd fd(::mkostemp(path.data(), O_CLOEXEC));
  if (fd) ::unlink(path.c_str());
  return fd;
}

Checked broken_by(const Flaw& flaw) { return {.soundness = Soundness::broken, .flaw = flaw}; }

Checked check_json(const FileBytes& file, const ZipMember& member) {
  std::string text;
  const auto flaw = check_zip_data(file, member, [&](std::span<const char> piece) {
    if (text.size() < longest_buffer) text.append(piece.data(), piece.size());
  });
  if (flaw) return broken_by(*flaw);
  if (text.size() >= longest_buffer) return sound("");
  const auto objection = objection_to_json_object(text);
  if (!objection) return sound("");
  auto checked = broken(objection->offset, "", objection->what);
  checked.flaw->inside = in_archive(member);
  return checked;
}

// The HDF5 format reads files alone, so the weights are unpacked for it; its offsets count in them.
Checked check_weights(const FileBytes& file, const ZipMember& member) {
  const auto* hdf5 = find_format("hdf5");
  const auto unpacked = hdf5 ? nameless_file() : OwnedFd();
  bool whole = static_cast<bool>(unpacked);
  std::string start;
  const auto flaw = check_zip_data(file, member, [&](std::span<const char> piece) {
    if (start.size() < hdf5_magic.size()) start.append(piece.data(), std::min(piece.size(), hdf5_magic.size()));
    whole = whole && ::write(unpacked.get(), piece.data(), piece.size()) == static_cast<ssize_t>(piece.size());
  });
  if (flaw) return broken_by(*flaw);
  Checked checked = sound("");
  if (!start.starts_with(hdf5_magic)) checked = broken(0, "signature", "these weights do not begin as HDF5 does");
  else if (const auto inner = whole ? FileBytes::open("/proc/self/fd/" + std::to_string(unpacked.get())) : failure("")) checked = hdf5->check(*inner);
  else checked.remarks.push_back("inside the weights only the checksum and the signature were compared");
  if (checked.flaw) checked.flaw->inside = in_archive(member);
  return checked;
}

Checked check_members(const FileBytes& file, const ZipArchive& archive) {
  auto whole = sound(counted(archive.members.size(), "member"));
  for (const auto& member : archive.members) {
    const auto& name = member.entry.name;
    auto checked = name == weights_name                            ? check_weights(file, member)
                   : name == config_name || name == metadata_name ? check_json(file, member)
                                                                  : sound("");
    if (name != weights_name && name != config_name && name != metadata_name)
      if (const auto flaw = check_zip_data(file, member, [](std::span<const char>) {})) return broken_by(*flaw);
    if (checked.soundness == Soundness::broken) return checked;
    if (checked.soundness == Soundness::not_checked) whole.remarks.push_back(shown(name) + " was not checked: " + checked.why);
    if (name == weights_name && !checked.holds.empty()) whole.holds = checked.holds;
    for (const auto& remark : checked.remarks) whole.remarks.push_back(remark);
  }
  return whole;
}

Checked check(const FileBytes& file) {
  const auto archive = read_zip(file);
  if (archive.flaw) return broken_by(*archive.flaw);
  auto checked = check_members(file, archive);
  if (checked.soundness != Soundness::sound) return checked;
  if (!archive.find(config_name)) return broken(archive.directory_at, "directory", "it lists no config.json");
  if (!archive.find(weights_name) && !archive.find("model.weights.npz") && !archive.find("model.weights.json"))
    return broken(archive.directory_at, "directory", "it lists no weights");
  return checked;
}

}  // namespace

extern const Format keras{.title = "Keras model", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
