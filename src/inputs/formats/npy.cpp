// NumPy's .npy: "\x93NUMPY", two version bytes, the header's length (2 bytes in version 1, 4 from version 2 on), the
// header, a Python dict literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (60000, 28, 28), }, then the
// numbers with nothing behind them. No checksum: changed numbers cannot be told from meant ones.
#include "inputs/format.h"
#include "inputs/npy_header.h"

namespace sigwhy::inputs::formats {

namespace {

Likeness likeness(std::string_view path, std::string_view first) {
  if (first.starts_with(npy_magic)) return Likeness::by_content;
  return path.ends_with(".npy") ? Likeness::by_name : Likeness::none;
}

Checked check(const FileBytes& file) {
  return check_npy(file.bytes(), [&](std::uint64_t offset, std::uint64_t bytes) { return file.text(offset, bytes); });
}

}  // namespace

extern const Format npy{.title = "NumPy array", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
