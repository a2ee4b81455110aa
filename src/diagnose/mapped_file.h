// SIGBUS on a mapped file has three causes that the file and its file system tell apart: the file ends before the
// access, or it is long enough but the page behind the hole could not be made because nothing was free.
#pragma once
#include <optional>

#include "diagnose/facts.h"

namespace sigwhy::diagnose {

struct FileAccess {
  std::size_t region = 0;
  std::uint64_t offset = 0;  // in the file
  std::uint64_t file_bytes = 0;
  bool behind_end = false;  // the page lies behind the file's last one
  // Nothing is left on the file system: surely (less than a page), or nearly so.
  bool is_full = false;
  bool is_nearly_full = false;
  bool is_shared_memory = false;
};

std::optional<FileAccess> file_access(const Facts& facts);

}  // namespace sigwhy::diagnose
