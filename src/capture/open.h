// `sigwhy open FILE`: the same eyes on an ELF core or on the kept memory of a case.
#pragma once
#include <string>

#include "base/result.h"
#include "evidence/snapshot.h"

namespace sigwhy::capture {

// Whether it is a file that can be read. Opens nothing: a pipe would be waited for.
Result<void> can_be_opened(const std::string& path);

Result<Snapshot> open_file(const std::string& path);

}  // namespace sigwhy::capture
