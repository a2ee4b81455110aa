// The entries of a folder of /proc that are numbers: processes, threads, descriptors.
#pragma once
#include <functional>
#include <string>

namespace sigwhy::capture {

// Until `use` says false.
void each_number(const std::string& folder, const std::function<bool(int, const char*)>& use);

}  // namespace sigwhy::capture
