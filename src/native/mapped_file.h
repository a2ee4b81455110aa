// The file behind a mapping, opened as the process saw it and compared with what the process had mapped: a
// `pip install` during the run puts another file under the same name, and names or unwind tables of the wrong
// file are worse than none. Compared are the file's first page (it holds the program headers and mostly the
// build-id) where the target's memory has it, else the inode.
#pragma once
#include <string>
#include <string_view>

#include "base/owned_fd.h"
#include "target/target.h"

namespace sigwhy::native {

enum class FileMatch { same, changed, gone, unreadable };

struct MappedFile {
  OwnedFd fd;  // open only where match is same
  FileMatch match = FileMatch::gone;
  std::string why;  // in words, where it is not the same
};

MappedFile open_mapped_file(const Target& target, const Mapping& mapping);

// Opens `path` for reading below the process's own root, where that is known. Never blocks, regular files only.
OwnedFd open_in_root(const Target& target, const std::string& path);

// The kernel marks the path of an unlinked file.
bool is_deleted(std::string_view path);
std::string_view without_deleted(std::string_view path);

}  // namespace sigwhy::native
