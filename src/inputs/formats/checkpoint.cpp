// A TensorFlow checkpoint, given by its prefix, its index or one of its shards; checked as a whole. Every tensor's
// bytes have a checksum in the index, and so has the index: what is changed is found, wherever it is.
#include "inputs/checkpoint.h"

#include <unistd.h>

#include "inputs/format.h"
#include "inputs/verdict.h"

namespace sigwhy::inputs::formats {

namespace {

constexpr std::string_view index_name = ".index";

bool there(const std::string& path) { return ::access(path.c_str(), F_OK) == 0; }

// The bytes of a shard are a tensor's: only its name tells, and the index beside it.
Likeness likeness(std::string_view path, std::string_view) {
  const auto prefix = checkpoint_prefix(path);
  if (!prefix) return Likeness::none;
  if (path.ends_with(index_name)) return Likeness::by_name;
  return there(*prefix + ".index") ? Likeness::by_content : Likeness::by_name;
}

std::string last_part(std::string_view path) { return std::string(path.substr(path.rfind('/') + 1)); }

Checked check(const FileBytes& file) {
  const auto prefix = checkpoint_prefix(file.path());
  if (!prefix) return not_checked("its name says neither index nor shard");
  auto checked = check_checkpoint(*prefix, last_part(*prefix) + ".index");
  if (checked.flaw && checked.flaw->inside == last_part(file.path())) checked.flaw->inside.clear();
  return checked;
}

Likeness likeness_of_place(const std::string& path) {
  return there(path + ".index") ? Likeness::by_name : Likeness::none;
}

Checked check_place(const std::string& path) { return check_checkpoint(path, last_part(path) + ".index"); }

}  // namespace

extern const Format checkpoint{.title = "TensorFlow checkpoint",
                               .likeness = likeness,
                               .check = check,
                               .likeness_of_place = likeness_of_place,
                               .check_place = check_place};

}  // namespace sigwhy::inputs::formats
