#include "capture/open.h"

#include "capture/develop.h"
#include "target/core.h"
#include "target/saved.h"

namespace sigwhy::capture {

Result<Snapshot> open_file(const std::string& path) {
  auto target = is_core(path) ? target_from_core(path) : target_from_side_file(path);
  if (!target) return std::unexpected(target.error());
  return develop(*target, python::ValuesPolicy::plain);
}

}  // namespace sigwhy::capture
