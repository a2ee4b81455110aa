// Debug files from a server, by build-id. The library is loaded only when asked for; it reads DEBUGINFOD_URLS and
// keeps a cache of its own, both shared with gdb.
#pragma once
#include <string>

#include "base/owned_fd.h"

namespace sigwhy::native {

// Empty where there is no library, no server, or no such file. May take long: run under a time limit.
OwnedFd ask_debuginfod(const std::string& build_id);

}  // namespace sigwhy::native
