#include "native/host.h"

#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>

namespace sigwhy::native {

namespace {

// The text behind "key   :" on a line, if it is that line.
bool value_of(std::string_view line, std::string_view key, std::string_view& value) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || !line.starts_with(key)) return false;
  if (line.substr(key.size(), colon - key.size()).find_first_not_of(" \t") != std::string_view::npos) return false;
  value = line.substr(colon + 1);
  value.remove_prefix(std::min(value.find_first_not_of(' '), value.size()));
  return true;
}

// All processors of a machine say the same; on a big one the file has a megabyte, so only the first is read.
void read_processor(const std::string& path, Host& host) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line) && !line.empty()) {
    std::string_view value;
    if (value_of(line, "model name", value)) host.cpu = value;
    if (!value_of(line, "flags", value)) continue;
    std::istringstream flags{std::string(value)};
    for (std::string flag; flags >> flag;) host.cpu_features.push_back(flag);
  }
}

std::uint64_t read_memory_bytes(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line)) {
    std::string_view value;
    if (!value_of(line, "MemTotal", value)) continue;
    std::uint64_t kibibytes = 0;
    std::from_chars(value.data(), value.data() + value.size(), kibibytes);
    return kibibytes * 1024;
  }
  return 0;
}

}  // namespace

Host host_from(const std::string& proc_root) {
  Host host;
  std::ifstream release(proc_root + "/sys/kernel/osrelease");
  std::getline(release, host.kernel);
  read_processor(proc_root + "/cpuinfo", host);
  host.memory_bytes = read_memory_bytes(proc_root + "/meminfo");
  return host;
}

Host this_host() { return host_from("/proc"); }

}  // namespace sigwhy::native
