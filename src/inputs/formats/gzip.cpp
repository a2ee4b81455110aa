// gzip: members one behind the other, each a header, deflated bytes, their CRC-32 and their length modulo 2^32. Zeros
// behind the last member are padding, as gzip itself has it.
#include "inputs/format.h"
#include "inputs/unwrapped.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

Likeness likeness(std::string_view path, std::string_view first) {
  if (first.starts_with(gzip_magic)) return Likeness::as_wrapper;
  return path.ends_with(".gz") || path.ends_with(".tgz") ? Likeness::by_name : Likeness::none;
}

Checked check(const FileBytes& file) {
  Unwrapped plain(file, Unwrapped::Wrapping::gzip);
  while (!plain.next().empty()) {
  }
  if (plain.flaw()) return {.soundness = Soundness::broken, .flaw = plain.flaw()};
  auto whole = sound(counted(plain.bytes(), "byte") + " after gunzip");
  if (plain.members() > 1) whole.remarks.push_back("it has " + counted(plain.members(), "member"));
  if (plain.zeros_behind() > 0) whole.remarks.push_back(counted(plain.zeros_behind(), "zero byte") + " follow, as padding");
  return whole;
}

}  // namespace

extern const Format gzip{.title = "gzip", .likeness = likeness, .check = check};

}  // namespace sigwhy::inputs::formats
