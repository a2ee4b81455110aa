// The machine under the process, as the kernel's own files describe it.
#pragma once
#include <string>

#include "evidence/process.h"

namespace sigwhy::native {

Host this_host();

// The same from another /proc: `cpuinfo`, `meminfo` and `sys/kernel/osrelease` below `proc_root`.
Host host_from(const std::string& proc_root);

}  // namespace sigwhy::native
