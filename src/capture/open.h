// `sigwhy open FILE`: the same eyes on an ELF core or on the kept memory of a case.
#pragma once
#include <string>

#include "base/result.h"
#include "evidence/snapshot.h"

namespace sigwhy::capture {

Result<Snapshot> open_file(const std::string& path);

}  // namespace sigwhy::capture
