// HDF5, in which Keras keeps weights (.h5, .weights.h5) and others keep data. The most common damage is a file that was
// not written to its end: the superblock says how long it is. Our own walk, since libhdf5 says that it failed, not
// where.
#include <string>

#include "inputs/format.h"
#include "inputs/hdf5_walk.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr std::string_view magic{"\x89HDF\r\n\x1a\n", 8};
constexpr std::uint64_t first_place_behind_user_block = 512;

// At byte 0, or behind a user's block of 512, 1024, 2048... bytes.
std::optional<std::uint64_t> superblock_in(std::string_view first) {
  if (first.starts_with(magic)) return 0;
  for (auto at = first_place_behind_user_block; at < first.size(); at *= 2)
    if (first.substr(at).starts_with(magic)) return at;
  return std::nullopt;
}

Likeness likeness(std::string_view path, std::string_view first) {
  if (superblock_in(first)) return Likeness::by_content;
  return path.ends_with(".h5") || path.ends_with(".hdf5") ? Likeness::by_name : Likeness::none;
}

Checked check(const FileBytes& file) {
  const auto first = file.text(0, first_bytes_seen);
  const auto superblock = superblock_in(first);
  if (!superblock && magic.starts_with(first)) return broken(first.size(), "signature", "the file ends here");
  if (!superblock) return broken(0, "signature", "it does not begin with \\x89HDF\\r\\n\\x1a\\n");
  PagedBytes bytes(file);
  return Hdf5Walk(bytes).run(*superblock);
}

}  // namespace

extern const Format hdf5{.title = "HDF5", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
