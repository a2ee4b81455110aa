// What torch.save writes: a zip archive, stored and not packed, of NAME/data.pkl (a pickle that says which tensors
// there are), NAME/data/0, 1, 2... (their bytes), NAME/version and, since 2.0, NAME/byteorder. Unpickling runs what the
// pickle says, so it is not done here. Before 1.6 the file was pickles one after another, without any length or
// checksum.
#include <fmt/format.h>

#include <algorithm>

#include "inputs/format.h"
#include "inputs/verdict.h"
#include "inputs/zip_archive.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr std::string_view pickle_name = "/data.pkl", version_name = "/version", order_name = "/byteorder",
                           records_name = "/data/";
constexpr std::string_view before_zip{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19", 14};

Likeness likeness(std::string_view path, std::string_view first) {
  const bool named = path.ends_with(".pt") || path.ends_with(".pth") || path.ends_with(".ckpt");
  if (first.starts_with(before_zip)) return Likeness::by_content;
  if (first.starts_with(zip_magic) && (named || first_zip_member(first).ends_with(pickle_name)))
    return Likeness::by_content;
  return path.ends_with(".pt") ? Likeness::by_name : Likeness::none;  // a .pth may be Python's own list of folders
}

const ZipMember* ending_in(const ZipArchive& archive, std::string_view name) {
  const auto found =
      std::ranges::find_if(archive.members, [&](const ZipMember& m) { return m.entry.name.ends_with(name); });
  return found == archive.members.end() ? nullptr : &*found;
}

Checked broken_in(const ZipMember& member, std::string what) {
  auto checked = broken(0, "", std::move(what));
  checked.flaw->inside = in_archive(member);
  return checked;
}

// Of a member that is one word.
std::string word_in(const FileBytes& file, const ZipMember& member) {
  constexpr std::size_t longest_word = 64;
  std::string word;
  check_zip_data(file, member, [&](std::span<const char> piece) {
    word.append(piece.data(), std::min(piece.size(), longest_word - std::min(longest_word, word.size())));
  });
  return word.substr(0, word.find('\n'));
}

Checked check_members(const FileBytes& file, const ZipArchive& archive) {
  std::uint64_t records = 0, bytes = 0;
  for (const auto& member : archive.members) {
    if (const auto flaw = check_zip_data(file, member, [](std::span<const char>) {}))
      return {.soundness = Soundness::broken, .flaw = flaw};
    if (member.entry.name.find(records_name) == std::string::npos) continue;
    ++records;
    bytes += member.entry.bytes;
  }
  if (!ending_in(archive, pickle_name)) return broken(archive.directory_at, "directory", "it lists no data.pkl");
  if (const auto* version = ending_in(archive, version_name)) {
    const auto word = word_in(file, *version);
    if (word.empty() || !std::ranges::all_of(word, [](char c) { return c >= '0' && c <= '9'; }))
      return broken_in(*version, fmt::format("\"{}\" is no version number", shown(word)));
  } else {
    return broken(archive.directory_at, "directory", "it lists no version");
  }
  if (const auto* order = ending_in(archive, order_name))
    if (const auto word = word_in(file, *order); word != "little" && word != "big")
      return broken_in(*order, fmt::format("\"{}\" is no byte order", shown(word)));
  return sound(fmt::format("{} of {}", counted(records, "tensor record"), counted(bytes, "byte")));
}

Checked check(const FileBytes& file) {
  if (file.text(0, before_zip.size()) == before_zip)
    return not_checked("it was saved as PyTorch did before 1.6, as pickles without lengths or checksums");
  const auto archive = read_zip(file);
  if (archive.flaw) return {.soundness = Soundness::broken, .flaw = archive.flaw};
  if (archive.prefix_bytes > 0) return broken(0, "", "it does not begin with PK, by which PyTorch knows an archive");
  auto checked = check_members(file, archive);
  if (checked.soundness != Soundness::sound) return checked;
  checked.remarks = archive.remarks;
  checked.remarks.push_back("data.pkl, which says what the records are, was not unpickled");
  return checked;
}

}  // namespace

extern const Format torch{.title = "PyTorch file", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
